"""Receipts: an unsafe request that is sent again gets the same answer.

The service writes the receipt in its own transaction, so it stands exactly when what it tells
became true. `Draft` None: the request had no `Idempotency-Key`, nothing is kept.
"""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any, Final, NamedTuple

from django.db import connection
from django.db.models import Q
from django.db.models.functions import Now

from config.kit.errors import InvalidError, ServiceError
from config.kit.models import Receipt

KEPT = timedelta(hours=24)
# A phone that was in a drawer sends its entries again, if it has not heard that they arrived.
PHONES: Final = "form:phone."
KEPT_OF_PHONES = timedelta(days=60)
FORGOTTEN_AT_ONCE = 1000


class KeyReusedError(InvalidError):
    """The key was used before with another body."""

    code = "idempotency_key_reused"


class StillRunningError(ServiceError):
    """A request with this key is being carried out now."""

    code = "still_running"


class Draft(NamedTuple):
    """A receipt that may be written: who asks, under which key, and the body's SHA-256."""

    actor: str
    key: str
    body_hash: bytes

    @classmethod
    def of(cls, actor: str, key: str, operation: str, body: bytes) -> Draft:
        """The draft of a request; the operation counts as part of what was asked."""
        return cls(actor, key, hashlib.sha256(operation.encode() + b"\0" + body).digest())


def repeated(draft: Draft | None) -> dict[str, Any] | None:
    """What this request made true before, None if it is new. First in the transaction.

    Raises `KeyReusedError`, `StillRunningError`. Holds a lock on the key until the commit.
    """
    if draft is None:
        return None
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 7))",
            [f"{draft.actor}\n{draft.key}"],
        )
        if not cursor.fetchone()[0]:
            raise StillRunningError("A request with this Idempotency-Key is still running.")
    stored = Receipt.objects.filter(actor=draft.actor, key=draft.key).first()
    if stored is None:
        return None
    if bytes(stored.body_hash) != draft.body_hash:
        raise KeyReusedError("This Idempotency-Key was used with another request.")
    outcome: dict[str, Any] = stored.outcome
    return outcome


def forget_old() -> int:
    """Delete receipts that are older than they are kept; some at a time."""
    kept = Q(key__startswith=PHONES, created_at__gte=Now() - KEPT_OF_PHONES)
    old = Receipt.objects.filter(~kept, created_at__lt=Now() - KEPT).order_by("created_at")
    found = list(old.values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
    return Receipt.objects.filter(pk__in=found).delete()[0] if found else 0


def keep(draft: Draft | None, outcome: dict[str, Any]) -> None:
    """Write the receipt; `outcome` has ids and codes, never a secret. Last in the transaction."""
    if draft is not None:
        Receipt.objects.create(
            actor=draft.actor, key=draft.key, body_hash=draft.body_hash, outcome=outcome
        )
