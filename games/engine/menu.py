"""Lists of codes that lay or claim, remembered by the ranks that fit.

Suits never matter, so hands that differ in suits alone share an entry. The memos know no position
and no rule but which ranks are laid singly, so nearly all rule sets share them. Short lists come
again and again and are kept whole; longer ones are put together from thirds of the ranks: of each
there are at most 3125 in one pack, and soon all are known.
"""

from functools import lru_cache
from typing import Final

from games.engine.actions import CLAIM

Codes = tuple[int, ...]

_ROOM: Final = 16_384
"""Entries that a memo keeps at most."""
_SHORT: Final = 4
"""Lists up to this length are kept whole."""
_LOW: Final = 0xFFFFFF
_MIDDLE: Final = 0xFFFFF << 24
_HIGH: Final = 0xFFFF << 44
"""The ranks 3 to 7, 8 to Q, K to joker, four bits each (`cards.ranks_in`)."""


class Lays(dict[int, Codes]):
    """The codes that lay (or claim) the lowest cards out of so many of each rank, then `after`."""

    __slots__ = ("_after", "_first", "_single")

    def __init__(self, single: frozenset[int], first: int, after: Codes) -> None:
        self._single, self._first, self._after = single, first, after

    def __missing__(self, ranks: int) -> Codes:
        codes: list[int] = []
        for rank, digit in enumerate(reversed(f"{ranks:x}")):
            if digit != "0":
                start = self._first + 8 * rank
                codes += range(start, start + (1 if rank in self._single else int(digit)))
        found = (*codes, *self._after)
        if len(self) < _ROOM:
            self[ranks] = found
        return found


@lru_cache(maxsize=256)
def lays(single: frozenset[int], claims: bool = False, after: Codes = ()) -> Lays:
    """The one memo of lays (or claims) where plays of the ranks in `single` are one card only,
    followed by what else may be done."""
    return Lays(single, CLAIM if claims else 0, after)


class Menu:
    """What there is to choose from on one top, in one zone."""

    __slots__ = ("_last", "_lays", "fits", "known")

    def __init__(self, fits: int, low: Lays, last: Lays, known: dict[int, Codes]) -> None:
        self._lays, self._last = low, last
        self.fits = fits
        """All bits of the ranks that fit."""
        self.known = known
        """Codes by the ranks that fit, as far as they are kept."""

    def find(self, ranks: int) -> Codes:
        """The codes for so many of each rank in the zone, some of which fit."""
        fitting = ranks & self.fits
        lays = self._lays
        codes = lays[fitting & _LOW] + lays[fitting & _MIDDLE] + self._last[fitting & _HIGH]
        if len(codes) <= _SHORT and len(self.known) < _ROOM:
            self.known[fitting] = codes
        return codes


@lru_cache(maxsize=256)
def _known(
    single: frozenset[int], able: Codes, stuck: Codes, claims: bool
) -> tuple[Lays, Lays, dict[int, Codes]]:
    """The one set of memos of this kind."""
    return lays(single, claims), lays(single, claims, able), {0: stuck}


def menu(fits: int, single: frozenset[int], able: Codes, stuck: Codes, *, claims: bool) -> Menu:
    """A menu of lays (or claims); `able` may be done beside one, `stuck` where no card fits."""
    return Menu(fits, *_known(single, able, stuck, claims))
