"""Forms that are sent twice and carried out once: each holds a random `key`.

The same fields under the same key are one request, for 24 hours; other fields are another one, so
that who goes back in his browser and types something else is not refused.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Final

from django.http import HttpRequest

from config.kit import receipts

FIELD: Final = "key"
_KEY: Final = re.compile(r"[A-Za-z0-9._-]{1,100}")
_NOT_SAID: Final = (FIELD, "csrfmiddlewaretoken")


def fresh() -> str:
    """A key for the forms of a page."""
    return secrets.token_urlsafe(18)


def draft(request: HttpRequest, actor: str) -> receipts.Draft | None:
    """The receipt that a form asks for by its key; None without one."""
    key = str(request.POST.get(FIELD, ""))
    if not _KEY.fullmatch(key):
        return None
    said = sorted(
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name not in _NOT_SAID
    )
    body = repr(said).encode()
    digest = hashlib.sha256(body).hexdigest()[:24]
    return receipts.Draft.of(actor, f"form:{key}:{digest}", f"POST {request.path}", body)
