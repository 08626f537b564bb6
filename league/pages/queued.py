"""Answers to a phone's queue: the same forms, sent by a script that keeps what is not taken.

`X-Queued` says that it asks. 200: done; 409: something else stands there, and both are told; 422:
it can't be, and why. A page that the phone may not use now answers as ever, and the entry is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse, JsonResponse

from config.kit.errors import ServiceError
from league.errors import ResultChangedError
from league.pages.refusals import told

HEADER: Final = "X-Queued"


def is_queued(request: HttpRequest) -> bool:
    """Whether a queue sends this form."""
    return HEADER in request.headers


def answer(act: Callable[[], str], deal: int = 0) -> HttpResponse:
    """Do it; says what became of it. `deal`: which one it is about."""
    try:
        return JsonResponse({"says": act()})
    except ServiceError as error:
        return _refused(error, deal)


def _refused(error: ServiceError, deal: int) -> HttpResponse:
    body = {"code": error.code, "detail": told(error), **error.data}
    if isinstance(error, ResultChangedError):
        return JsonResponse({**body, "deal": deal}, status=409)
    return JsonResponse(body, status=422)
