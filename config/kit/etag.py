"""Entity tags: the hash of the very bytes that a viewer gets, and 304 if he has them.

The tag of something that is edited also counts the edits, `"12-3fb0..."`: `If-Match` compares
these alone, so that what changes by itself (when a bot last answered) is in no editor's way.
"""

from __future__ import annotations

import hashlib

from django.http import HttpRequest, HttpResponse
from django.utils.http import parse_etags

from config.kit.errors import ServiceError
from config.kit.wire import dumps


class ChangedError(ServiceError):
    """It was edited by somebody else since the reader got it."""

    code = "changed"


def answer(
    request: HttpRequest,
    data: object,
    content_type: str = "application/json",
    edits: int | None = None,
) -> HttpResponse:
    """`data` as JSON with its tag, or 304 Not Modified."""
    return answer_bytes(request, dumps(data), content_type, edits)


def answer_bytes(
    request: HttpRequest, body: bytes, content_type: str, edits: int | None = None
) -> HttpResponse:
    """These bytes with their tag, or 304 Not Modified."""
    return answer_tagged(request, body, tag_of(body, edits), content_type)


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


def require(request: HttpRequest, edits: int) -> None:
    """Raise `ChangedError` if `If-Match` names another state of what has so many edits."""
    given = request.headers.get("If-Match")
    if given is None:
        return
    held = parse_etags(given)
    if "*" not in held and not any(etag.startswith(f'"{edits}-') for etag in held):
        raise ChangedError("It was changed since you read it.", edits=edits)


def tag_of(body: bytes, edits: int | None = None) -> str:
    """The entity tag of these bytes."""
    counted = "" if edits is None else f"{edits}-"
    return f'"{counted}{hashlib.sha256(body).hexdigest()[:32]}"'
