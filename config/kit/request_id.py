"""An id for every request: in the answer's header, in every log line and in every problem."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from typing import Final

import structlog
from django.http import HttpRequest, HttpResponse

HEADER: Final = "X-Request-ID"
_USABLE: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")


class RequestIdMiddleware:
    """Take the caller's id if it is a plain one, else make one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer with the id in the header."""
        request_id = chosen(request.headers.get(HEADER, ""))
        request.META["request_id"] = request_id
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            response = self._get_response(request)
        response[HEADER] = request_id
        return response


def chosen(given: str) -> str:
    """The caller's id if it is a plain one, else a new one."""
    return given if _USABLE.fullmatch(given) else uuid.uuid4().hex


def request_id_of(request: HttpRequest) -> str:
    """The id of this request; "" before the middleware has seen it."""
    return str(request.META.get("request_id", ""))
