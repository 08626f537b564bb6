"""What a commit of the league brought due, for the edge to wake. Owns no rows, wakes nobody."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import structlog

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Due:
    """Kinds of tables that wait to be played.

    >>> Due(house=True) + Due(driven=True)
    Due(house=True, driven=True)
    """

    house: bool = False
    driven: bool = False

    def __add__(self, other: "Due") -> "Due":
        return Due(self.house or other.house, self.driven or other.driven)


def each(act: Callable[[int], Due], keys: Iterable[int]) -> Due:
    """`act` on each row by itself: one that fails is logged and keeps no other waiting."""
    due = Due()
    for key in keys:
        try:
            due += act(key)
        except Exception:
            log.exception("overdue_failed", act=act.__name__, key=key)
    return due
