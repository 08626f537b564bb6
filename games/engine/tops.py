"""What lies on top of the pile, as `codes` and `step` look at it: menus of codes, and all about a
lay by its code.

A round stands on a `Top`: the effective top of the pile and how many of it lie there. What a quick
lay does is known beforehand, up to the top that it makes. Knows no rule; tables.py fills it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from games.engine.cards import JOKER, TWO
from games.engine.holdings import HOLD, LOWEST
from games.engine.menu import Menu

# Effective tops. 1 to 13 are ranks; a joker (14) never stays on a pile that somebody plays on.
EMPTY: Final = 0
ONLY_THREES: Final = 15  # nothing but invisible 3s: shows none, but is not empty
FREE: Final = 16  # an empty pile after all have passed
MUST: Final = 16  # MUST + rank: the first play, which must be of that rank
TOPS: Final = range(MUST + TWO + 1)
MOST: Final = 3
"""Runs are told apart up to this number: of a rank that falls by fours no more can lie there, of
another it does not matter."""


class Effect(IntEnum):
    """What a play does beside lying there. Truthy: it falls or feeds; the first four fall."""

    STAYS = 0
    TEN = 1
    ACE = 2
    JOKER = 3
    FOUR = 4
    FEEDS_AGAIN = 5
    FEEDS_PASS = 6


Quick = tuple["Top", Effect, int, Sequence[int]]
"""Of a lay or a claim by its code: the top it makes and what else it does; from where on holdings
have cards of the rank, and by those what is laid. A plain tuple: one with names takes four times as
long to take apart."""


@dataclass(slots=True, eq=False, repr=False)
class Top:
    """An effective top while the stock is as it is. Attributes are for reading."""

    top: int
    run: int
    """How many of it lie there, up to `MOST`."""
    hand: Menu
    """What there is to choose from a hand."""
    row: Menu
    """What there is to choose from a face-up row."""
    bars: int
    """With which holdings `step` may not pick up quickly."""
    quick: dict[int, Quick]
    """[code]: the lays of up to three cards, in bluff games the truthful claims."""


Tops = tuple[tuple[Top, ...], ...]
"""[top][run]"""


def tops(hand: Sequence[Menu], row: Sequence[Menu], bars: Sequence[int]) -> Tops:
    """All tops, with nothing to do quickly yet."""
    return tuple(tuple(_runs(top, hand[top], row[top], bars[top])) for top in TOPS)


def _runs(top: int, hand: Menu, row: Menu, bars: int) -> Iterator[Top]:
    if not EMPTY < top <= JOKER:
        yield Top(top, 0, hand, row, bars, {})
        return
    first = Top(top, 1, hand, row, bars, {})
    yield from (first, first)
    for run in range(2, MOST + 1):
        yield Top(top, run, hand, row, bars, {})


def four(effect: Effect, falls: bool) -> Effect:
    """What it does that four or more of equal rank lie on top: they fall, if they do; so many never
    feed."""
    if effect and effect < Effect.FOUR:
        return effect
    return Effect.FOUR if falls else Effect.STAYS


class Linker:
    """Fills in what may be done quickly on the tops of one moment."""

    def __init__(
        self, tops: Tops, first: int, single: frozenset[int], fours: frozenset[int]
    ) -> None:
        """`first`: what the codes begin from, by lays or by claims."""
        self._tops, self._first = tops, first
        self._single, self._fours = single, fours
        self._known: dict[tuple[int, int, Effect], Quick] = {}

    def link(self, top: int, fitting: Iterable[int], effect: Sequence[Effect]) -> None:
        """Link a top, of all runs, with those that the fitting ranks make of it."""
        usual = {
            self._first + 8 * rank + count - 1: self._quick(rank, count, count, effect[rank])
            for rank in fitting
            for count in self._counts(rank)
        }
        for here in set(self._tops[top]):
            here.quick.update(usual)
            if top in fitting:
                for count in self._counts(top):
                    code = self._first + 8 * top + count - 1
                    here.quick[code] = self._quick(top, count, here.run + count, effect[top])

    def _counts(self, rank: int) -> Iterable[int]:
        return (1,) if rank in self._single else (1, 2, 3)

    def _quick(self, rank: int, count: int, run: int, effect: Effect) -> Quick:
        if run > MOST:
            run, effect = MOST, four(effect, rank in self._fours)
        key = 8 * rank + count, run, effect
        if key not in self._known:
            after, lays = self._tops[rank][run], LOWEST[count - 1][rank]
            self._known[key] = after, effect, HOLD + 8 * rank, lays
        return self._known[key]
