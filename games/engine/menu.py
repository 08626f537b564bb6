"""Lists of codes that lay or claim, remembered by the ranks that fit.

Suits never matter, so hands that differ in suits alone share an entry. The memos know no position
and no rule but which ranks are laid singly, so nearly all rule sets share them. A list is put
together from thirds of the ranks: of each there are at most 3125 in one pack, and soon all are
known. (Longer parts make fewer look-ups, but of so many that the processor's cache can't hold them;
halves took 4 % longer than thirds.)
"""

from collections.abc import Callable
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


class Lays:
    """The codes that lay (or claim) the lowest cards out of so many of each rank.

    `known` is a plain dict, not a subclass with `__missing__`: those are looked up at three times
    the cost."""

    __slots__ = ("_first", "_single", "known")

    def __init__(self, single: frozenset[int], first: int) -> None:
        self.known: dict[int, Codes] = {0: ()}
        self._single, self._first = single, first

    def learn(self, ranks: int) -> Codes:
        """What is known without the highest rank, and that one."""
        found = self.known.get(ranks)
        if found is not None:
            return found
        at = ranks.bit_length() - 1 & ~3
        count = ranks >> at
        first = self._first + 2 * at
        found = self.learn(ranks ^ count << at)
        found += (first,) if at >> 2 in self._single else tuple(range(first, first + count))
        if len(self.known) < _ROOM:
            self.known[ranks] = found
        return found


class Choices:
    """All there is to choose from: lays (or claims), then what else may be done."""

    __slots__ = ("_after", "_lays", "ends")

    def __init__(self, lays: Lays, after: Codes) -> None:
        self._lays, self._after = lays, after
        self.ends: dict[int, Codes] = {}
        """Of the highest ranks, with what else may be done."""

    def learn(self, ranks: int) -> Codes:
        """The whole list, its thirds known from now on."""
        of = self._lays.learn
        last = self.ends[ranks & HIGH] = of(ranks & HIGH) + self._after
        return of(ranks & LOW) + of(ranks & MIDDLE) + last


@lru_cache(maxsize=256)
def lays(single: frozenset[int], claims: bool = False) -> Lays:
    """The one memo of lays (or claims) where plays of the ranks in `single` are one card only."""
    return Lays(single, CLAIM if claims else 0)


@lru_cache(maxsize=256)
def _choices(single: frozenset[int], claims: bool, after: Codes) -> Choices:
    return Choices(lays(single, claims), after)


Menu = tuple[int, dict[int, Codes], dict[int, Codes], Callable[[int], Codes], Codes]
"""What there is to choose from on one top, in one zone: all bits of the ranks that fit; what is
known of the ranks up to Q and above; what learns what is not known; what may be done where no card
fits (nothing where the rules ask for more than a look at the cards). A plain tuple: one with names
takes four times as long to take apart."""


def menu(fits: int, single: frozenset[int], able: Codes, stuck: Codes, *, claims: bool) -> Menu:
    """A menu of lays (or claims); `able` may be done beside one, `stuck` where no card fits."""
    choices = _choices(single, claims, able)
    return fits, lays(single, claims).known, choices.ends, choices.learn, stuck
