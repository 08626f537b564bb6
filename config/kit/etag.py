"""Entity tags: the hash of the very bytes that a viewer gets, and 304 if he has them."""

from __future__ import annotations

import hashlib

from django.http import HttpRequest, HttpResponse
from django.utils.http import parse_etags

from config.kit.wire import dumps


def answer(
    request: HttpRequest, data: object, content_type: str = "application/json"
) -> HttpResponse:
    """`data` as JSON with its tag, or 304 Not Modified."""
    return answer_bytes(request, dumps(data), content_type)


def answer_bytes(request: HttpRequest, body: bytes, content_type: str) -> HttpResponse:
    """These bytes with their tag, or 304 Not Modified."""
    return answer_tagged(request, body, tag_of(body), content_type)


def answer_tagged(
    request: HttpRequest, body: bytes, tag: str, content_type: str = "application/json"
) -> HttpResponse:
    """The same for a tag that is known already."""
    if has(request, tag):
        response = HttpResponse(status=304)
        del response["Content-Type"]
    else:
        response = HttpResponse(body, content_type=content_type)
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    response["Vary"] = "Authorization, Cookie"
    return response


def has(request: HttpRequest, tag: str) -> bool:
    """Whether the reader holds what `tag` names; weak comparison, as RFC 9110 asks for."""
    held = parse_etags(request.headers.get("If-None-Match", ""))
    return "*" in held or tag in (etag.removeprefix("W/") for etag in held)


def tag_of(body: bytes) -> str:
    """The entity tag of these bytes."""
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'
