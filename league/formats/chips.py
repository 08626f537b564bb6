"""Chips by place: what a table of a size costs whom (competitions.md, "chips by place")."""

from collections.abc import Iterator
from fractions import Fraction

from league.formats.field import Places
from league.formats.settings import Chips


def vector(chips: Chips, size: int) -> tuple[int, ...]:
    """Chips by place, first to last.

    >>> vector("last", 4), vector("last_two", 3), vector("progressive", 4)
    ((0, 0, 0, 1), (0, 1, 1), (0, 1, 2, 3))
    """
    if chips == "progressive":
        return tuple(range(size))
    if not isinstance(chips, str):
        given = dict(chips)
        if size in given:
            return given[size]
    lose = 2 if chips == "last_two" and size > 2 else 1
    return (0,) * (size - lose) + (1,) * lose


def taken(chips: Chips, places: Places) -> Iterator[tuple[int, int]]:
    """Who takes how many chips, in whole chips. Who shares the last place takes each what the
    last takes; who shares another place takes the fewest of the places shared."""
    size = sum(len(group) for group in places)
    if size < 2 or len(places) < 2:
        return
    by_place, at = vector(chips, size), 0
    for group in places:
        shared = by_place[at : at + len(group)]
        at += len(group)
        number = shared[-1] if at == size else shared[0]
        for entry in group:
            yield entry, number


def expected(chips: Chips, size: int) -> Fraction:
    """The mean number of chips of a seat at a table of a size."""
    return Fraction(sum(vector(chips, size)), size)
