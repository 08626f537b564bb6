"""Lists of codes that lay or claim, remembered by the ranks that fit.

Suits never matter, so hands that differ in suits alone share an entry. The memos know no position
and no rule but which ranks are laid singly, so nearly all rule sets share them. A list is put
together from up to three parts of the ranks that fit on a top, of at most six ranks each: all that
are met in one pack are soon known. (Longer parts make fewer look-ups, but of so many that the
processor's cache can't hold them.)
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from games.engine.actions import CLAIM

Codes = tuple[int, ...]

_ROOM: Final = 16_384
"""Entries that a memo keeps at most."""
_PART: Final = 6
"""Ranks in a part at most."""


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


@lru_cache(maxsize=256)
def lays(single: frozenset[int], claims: bool = False) -> Lays:
    """The one memo of lays (or claims) where plays of the ranks in `single` are one card only."""
    return Lays(single, CLAIM if claims else 0)


@lru_cache(maxsize=256)
def _ends(single: frozenset[int], claims: bool, after: Codes) -> dict[int, Codes]:
    """The one memo of lays with what may be done beside them."""
    return {}


@dataclass(slots=True, eq=False)
class Menu:
    """What there is to choose from on one top, in one zone. Attributes are for reading."""

    fits: int
    """All bits of the ranks that fit, four a rank."""
    low: int
    """The lowest part of them; 0 if they are one part."""
    middle: int
    """The second of three parts; 0 if there are fewer."""
    high: int
    """The last part."""
    lays: dict[int, Codes]
    """What is known of all parts but the last."""
    ends: dict[int, Codes]
    """What is known of the last part, with what else may be done."""
    memo: Lays
    able: Codes
    """What may be done beside a lay."""
    stuck: Codes
    """What may be done where no card fits; nothing where the rules ask for more than a look at the
    cards."""

    def learn(self, ranks: int) -> Codes:
        """The whole list, its parts known from now on."""
        of = self.memo.learn
        last = of(ranks & self.high) + self.able
        if len(self.ends) < _ROOM:
            self.ends[ranks & self.high] = last
        return of(ranks & self.low) + of(ranks & self.middle) + last


def menu(fits: int, single: frozenset[int], able: Codes, stuck: Codes, *, claims: bool) -> Menu:
    """A menu of lays (or claims); `able` may be done beside one, `stuck` where no card fits."""
    memo = lays(single, claims)
    low, middle, high = _parts(fits)
    ends = _ends(single, claims, able)
    return Menu(fits, low, middle, high, memo.known, ends, memo, able, stuck)


@lru_cache(maxsize=256)
def _parts(fits: int) -> tuple[int, int, int]:
    """The ranks that fit in as few parts as may be, of nearly equal length."""
    ranks = [0xF << at for at in range(0, 64, 4) if fits >> at & 1]
    number = max(-(-len(ranks) // _PART), 1)
    ends = [len(ranks) * part // number for part in range(number + 1)]
    parts = [sum(ranks[ends[i] : ends[i + 1]]) for i in range(number)]
    low, middle = (parts[0] if number > 1 else 0), (parts[1] if number > 2 else 0)
    return low, middle, parts[-1]
