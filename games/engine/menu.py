"""Lists of codes that lay or claim, remembered by the ranks that fit.

Suits never matter, so hands that differ in suits alone share an entry. The memos know no position
and no rule but which ranks are laid singly, so nearly all rule sets share them. A list is put
together from thirds of the ranks: of each there are at most 3125 in one pack, and soon all are
known. (Longer parts make fewer look-ups, but of so many that the processor's cache can't hold them;
halves took 4 % longer than thirds.)
"""

from functools import lru_cache
from typing import Final

from games.engine.actions import CLAIM

Codes = tuple[int, ...]

_ROOM: Final = 16_384
"""Entries that a memo keeps at most."""
LOW: Final = 0xFFFFFF
MIDDLE: Final = 0xFFFFF << 24
HIGH: Final = 0xFFFF << 44
"""The ranks 3 to 7, 8 to Q, K to joker, four bits each (`cards.ranks_in`)."""


class Lays(dict[int, Codes]):
    """The codes that lay (or claim) the lowest cards out of so many of each rank."""

    __slots__ = ("_first", "_single")

    def __init__(self, single: frozenset[int], first: int) -> None:
        self[0] = ()
        self._single, self._first = single, first

    def __missing__(self, ranks: int) -> Codes:
        """What is known without the highest rank, and that one."""
        at = ranks.bit_length() - 1 & ~3
        count = ranks >> at
        first = self._first + 2 * at
        found = self[ranks ^ count << at]
        found += (first,) if at >> 2 in self._single else tuple(range(first, first + count))
        if len(self) < _ROOM:
            self[ranks] = found
        return found


class Ends(dict[int, Codes]):
    """The same, then what else may be done."""

    __slots__ = ("_after", "_lays")

    def __init__(self, lays: Lays, after: Codes) -> None:
        self._lays, self._after = lays, after

    def __missing__(self, ranks: int) -> Codes:
        found = self[ranks] = self._lays[ranks] + self._after
        return found


@lru_cache(maxsize=256)
def lays(single: frozenset[int], claims: bool = False) -> Lays:
    """The one memo of lays (or claims) where plays of the ranks in `single` are one card only."""
    return Lays(single, CLAIM if claims else 0)


@lru_cache(maxsize=256)
def _ends(single: frozenset[int], claims: bool, after: Codes) -> Ends:
    return Ends(lays(single, claims), after)


Menu = tuple[int, Lays, Ends, Codes]
"""What there is to choose from on one top, in one zone: all bits of the ranks that fit; the memos
for the ranks up to Q and above; what may be done where no card fits (nothing where the rules ask
for more than a look at the cards). A plain tuple: one with names takes four times as long to take
apart."""


def menu(fits: int, single: frozenset[int], able: Codes, stuck: Codes, *, claims: bool) -> Menu:
    """A menu of lays (or claims); `able` may be done beside one, `stuck` where no card fits."""
    return fits, lays(single, claims), _ends(single, claims, able), stuck
