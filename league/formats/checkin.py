"""Check-in: when it opens, and who counts as absent when the draw is made. Source: bots.md.

Whoever enters while it is open is there by that. A start before its time leaves nobody a chance to
be late, so nobody is.
"""

from datetime import datetime, timedelta
from typing import NamedTuple


class Presence(NamedTuple):
    """Of an entry: when it entered, and when it checked in, if it did."""

    since: datetime
    checked_in_at: datetime | None


def opens_at(starts_at: datetime | None, minutes: int) -> datetime | None:
    """When check-in opens; None: it is open all the time, or there is none (`minutes` 0)."""
    return None if starts_at is None else starts_at - timedelta(minutes=minutes)


def is_absent(
    presence: Presence, starts_at: datetime | None, minutes: int, drawn_at: datetime
) -> bool:
    """Whether an entry could have checked in before a draw at `drawn_at` and has not.

    >>> at = lambda minute: datetime(2027, 1, 1, 12, minute)
    >>> is_absent(Presence(at(0), None), at(45), 30, drawn_at=at(45))
    True
    >>> is_absent(Presence(at(20), None), at(45), 30, drawn_at=at(45))
    False
    """
    opened = opens_at(starts_at, minutes)
    if opened is None or starts_at is None or not minutes or drawn_at < starts_at:
        return False
    return presence.checked_in_at is None and presence.since < opened
