"""Leases on rows: claim, renew, release, count fruitless attempts.

Knows only the columns of `Leased`. All times are the database's; a conditional update's row
count says who won. No function needs a surrounding transaction.
"""

import os
import secrets
from datetime import timedelta
from typing import Any, NamedTuple

import structlog
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Greatest, Now

log = structlog.get_logger(__name__)

LEASE = timedelta(seconds=10)
MAX_ATTEMPTS = 3


class Lease(NamedTuple):
    """A claimed row: its primary key and the fencing number that proves the claim."""

    pk: Any
    fence: int


def new_owner() -> str:
    """A name for one holder of leases: process id and random, at most 40 characters."""
    return f"{os.getpid()}-{secrets.token_hex(8)}"


def claimable() -> Q:
    """Rows that are due, not held by a live lease and not quarantined."""
    return (
        Q(due_at__lte=Now())
        & (Q(lease_until=None) | Q(lease_until__lt=Now()))
        & Q(quarantine_reason="")
    )


def claim(rows: QuerySet[Any], owner: str, limit: int) -> list[Lease]:
    """Lease up to `limit` claimable rows, oldest due first, skipping what others hold.

    Each claim counts as an attempt until a commit that makes progress clears the count. Rows
    that have used up their attempts are quarantined instead of claimed.
    """
    with transaction.atomic():
        free = rows.filter(claimable()).order_by("due_at", "pk")
        locked = list(
            free.select_for_update(skip_locked=True).values_list("pk", "attempts")[:limit]
        )
        dead = [pk for pk, attempts in locked if attempts >= MAX_ATTEMPTS]
        live = [pk for pk, attempts in locked if attempts < MAX_ATTEMPTS]
        if dead:
            log.error("quarantined", rows=rows.model._meta.label, ids=[str(pk) for pk in dead])
            rows.filter(pk__in=dead).update(quarantine_reason="attempts")
        rows.filter(pk__in=live).update(
            lease_owner=owner,
            lease_until=Now() + LEASE,
            lease_fence=F("lease_fence") + 1,
            attempts=F("attempts") + 1,
        )
        return [Lease(*row) for row in rows.filter(pk__in=live).values_list("pk", "lease_fence")]


def renew(rows: QuerySet[Any], owner: str, pks: list[Any]) -> int:
    """Extend live leases; returns how many are still ours.

    Only a commit that makes progress clears `attempts`, or a row that kills its
    worker after a while would be tried for ever.
    """
    with transaction.atomic():
        mine = held(rows, owner).filter(pk__in=pks).order_by("pk")
        # In order of key, as whoever commits many rows locks them: else the two could wait for
        # each other in a ring.
        ours = list(mine.select_for_update(no_key=True).values_list("pk", flat=True))
        return rows.filter(pk__in=ours).update(lease_until=Now() + LEASE)


def release(rows: QuerySet[Any], owner: str, pks: list[Any]) -> int:
    """Give leases back so that anybody may claim the rows at once.

    This claim counts as no attempt; earlier ones that made no progress stay counted.
    """
    mine = rows.filter(lease_owner=owner, pk__in=pks)
    untried = Greatest(F("attempts") - 1, 0)
    return mine.update(lease_owner="", lease_until=None, attempts=untried)


def held(rows: QuerySet[Any], owner: str) -> QuerySet[Any]:
    """The rows that `owner` holds now."""
    return rows.filter(lease_owner=owner, lease_until__gte=Now())


def quarantined(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Those of `rows` that nobody claims any more, by key."""
    return rows.exclude(quarantine_reason="").order_by("pk")


def pardon(rows: QuerySet[Any]) -> int:
    """Let quarantined rows be claimed again, as if never tried; returns how many they were."""
    given_up = rows.exclude(quarantine_reason="")
    return given_up.update(quarantine_reason="", attempts=0, lease_owner="", lease_until=None)
