"""A seat's place in a finishing order."""

from __future__ import annotations

from collections.abc import Sequence


def place_of(places: Sequence[Sequence[int]], seat: int) -> int:
    """A seat's place; who shares one has the better of its numbers.

    >>> place_of([[2], [0, 1]], 1)
    2
    """
    before = 0
    for group in places:
        if seat in group:
            break
        before += len(group)
    return before + 1
