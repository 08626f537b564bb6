"""Which phone this is: a signed cookie with a random name, kept as a hash."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

from django.http import HttpRequest, HttpResponse

COOKIE: Final = "device"
SECONDS: Final = 400 * 86400


def device_of(request: HttpRequest) -> tuple[bytes, str | None]:
    """The device, and what its cookie is to hold if it has none yet."""
    known = request.get_signed_cookie(COOKIE, "", max_age=SECONDS) or ""
    name = known or secrets.token_urlsafe(24)
    return hashlib.sha256(name.encode()).digest(), None if known else name


def remember(request: HttpRequest, response: HttpResponse, name: str | None) -> HttpResponse:
    """Give the browser its cookie."""
    if name is not None:
        response.set_signed_cookie(
            COOKIE,
            name,
            max_age=SECONDS,
            secure=request.is_secure(),
            httponly=True,
            samesite="Lax",
        )
    return response
