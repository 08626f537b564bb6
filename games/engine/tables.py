"""What may lie on what and what it does, compiled once per rule set (rules.md sections 5 and 6).

Each rule is one small named piece that answers for one moment (with a stock, without); the game
only looks up `lay[stock_left][top]` and `effect[stock_left][top][rank]`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache
from typing import Final

from games.engine.actions import CHANCE, PICK_UP
from games.engine.cards import (
    ACE,
    ALL_RANKS,
    CARDS,
    COURTS,
    JOKER,
    LOW,
    RANK_MASK,
    SEVEN,
    SPECIALS,
    TEN,
    THREE,
    TWO,
    rank_counts,
)
from games.engine.rules import (
    AceOn,
    AfterTwo,
    CourtsOnEmpty,
    OnEmpty,
    PerPlay,
    PickUp,
    Rules,
    StockChance,
    TenOn,
    TwoOn,
)

# Effective tops. 1 to 13 are ranks; a joker (14) never stays on a pile that somebody plays on.
EMPTY: Final = 0
ONLY_THREES: Final = 15  # nothing but invisible 3s: shows none, but is not empty
FREE: Final = 16  # an empty pile after all have passed
MUST: Final = 16  # MUST + rank: the first play, which must be of that rank
TOPS: Final = range(MUST + TWO + 1)
_REMEMBERED: Final = 20_000


class Effect(IntEnum):
    """What a play does beside lying there. Truthy: it falls or feeds; the first four fall."""

    STAYS = 0
    TEN = 1
    ACE = 2
    JOKER = 3
    FOUR = 4
    FEEDS_AGAIN = 5
    FEEDS_PASS = 6


_ON_EMPTY: Final = {
    OnEmpty.STAYS: Effect.STAYS,
    OnEmpty.ILLEGAL: Effect.STAYS,  # after passes it lies there, neither falling nor feeding
    OnEmpty.FEEDS_AGAIN: Effect.FEEDS_AGAIN,
    OnEmpty.FEEDS_PASS: Effect.FEEDS_PASS,
}


@dataclass(frozen=True)
class Tables:
    """A rule set ready for play. Index 0: no stock left, 1: a stock."""

    rules: Rules
    lay: tuple[tuple[int, ...], ...]
    """[stock][top]: the cards that may be laid, as a mask over the whole pack."""
    effect: tuple[tuple[tuple[Effect, ...], ...], ...]
    """[stock][top][rank]: fall or feed, four of a kind left aside."""
    fours: frozenset[int]
    """Ranks that fall as four of a kind."""
    invisible: int
    """The rank that does not show on the pile; 0 for none."""
    single: frozenset[int]
    """Ranks of which a play is one card only."""
    claimable: tuple[int, ...]
    """Ranks that a claim may name at all, jokers only with jokers in the pack."""
    hand_size: int
    """Draw up to this number; 0 where all cards are dealt."""
    max_plies: int
    simple: bool
    """Whether nothing has to be kept up to date by a play but the pile, its top and run, and the
    turn: no invisible 3s, no drawing first, no passes."""
    usual: bool
    """Whether a seat with open cards lays what fits or does what `beside` says, and no more: no
    claims, no drawing first."""
    beside: tuple[tuple[tuple[int, ...], ...], ...]
    """[stuck][stock]: what a seat with open cards may do beside laying, while there is a pile."""
    plays: dict[int | bytes, tuple[int, ...]]
    """The codes that lay from a set of fitting cards, or by the numbers of each rank in it, as far
    as they were found."""

    def find_plays(self, playable: int) -> tuple[int, ...]:
        """The codes of all lays of lowest cards out of these; remembered, as long as there is
        room, by the cards and by their ranks."""
        counts = rank_counts(playable)
        found = self.plays.get(counts)
        if found is None:
            found = tuple(self._lays(counts))
        if len(self.plays) < _REMEMBERED:
            self.plays[counts] = self.plays[playable] = found
        return found

    def _lays(self, counts: bytes) -> Iterator[int]:
        for rank, count in enumerate(counts):
            most = min(count, 1) if rank in self.single else count
            yield from range(8 * rank, 8 * rank + most)


@lru_cache(maxsize=1024)
def tables(rules: Rules) -> Tables:
    """Compile a rule set."""
    moments = (_without_stock(rules), _with_stock(rules))
    return Tables(
        rules=rules,
        lay=tuple(tuple(_mask(_fitting(now, top)) for top in TOPS) for now in moments),
        effect=tuple(
            tuple(tuple(_effect(now, top, rank) for rank in range(JOKER + 1)) for top in TOPS)
            for now in moments
        ),
        fours=_fours(rules),
        invisible=THREE if rules.invisible_threes else 0,
        single=_single(rules),
        claimable=tuple(range(THREE, JOKER + 1 if rules.jokers else JOKER)),
        hand_size=0 if rules.hand_size == "all" else rules.hand_size,
        max_plies=rules.max_plies,
        simple=not (rules.invisible_threes or rules.draw_first or _may_pass(rules)),
        usual=not (rules.bluff or rules.draw_first),
        beside=_beside(rules),
        plays={},
    )


def _may_pass(rules: Rules) -> bool:
    barred = OnEmpty.ILLEGAL in (rules.ten_on_empty, rules.ace_on_empty)
    return barred or rules.courts_on_empty is not CourtsOnEmpty.YES


def _beside(rules: Rules) -> tuple[tuple[tuple[int, ...], ...], ...]:
    chances = rules.stock_chance is StockChance.WHEN_STUCK
    able = (PICK_UP,) if rules.pick_up is PickUp.ANY_TIME else ()
    stuck = (PICK_UP, CHANCE) if chances else (PICK_UP,)
    return (able, able), ((PICK_UP,), stuck)


def _with_stock(rules: Rules) -> Rules:
    opens = rules.courts_on_empty
    barred = CourtsOnEmpty.NO if opens is CourtsOnEmpty.NOT_WHILE_STOCK else opens
    return replace(rules, courts_on_empty=barred, relax_after_stock=())


def _without_stock(rules: Rules) -> Rules:
    """What the relaxations make of the rules from the moment the stock is empty."""
    now = rules
    if rules.courts_on_empty is CourtsOnEmpty.NOT_WHILE_STOCK:
        now = replace(now, courts_on_empty=CourtsOnEmpty.YES)
    if rules.court_floor_after_stock is not None:
        now = replace(now, court_floor=rules.court_floor_after_stock)
    if "courts" in rules.relax_after_stock:
        now = replace(now, court_floor=0, courts_on_empty=CourtsOnEmpty.YES)
    if "tens" in rules.relax_after_stock:
        now = replace(now, ten_on=TenOn.ANY)
    if "twos" in rules.relax_after_stock:
        now = replace(now, after_two=AfterTwo.ANY)
    return now


def _fitting(now: Rules, top: int) -> Iterable[int]:
    """The ranks that may be laid on this top."""
    if top > MUST:
        return {top - MUST}
    if top == EMPTY:
        return {rank for rank in ALL_RANKS if _opens(now, rank)}
    if top in (FREE, ONLY_THREES):
        return ALL_RANKS
    if top == SEVEN and now.seven_stop:
        return {*range(THREE, SEVEN + 1), TWO, JOKER}
    return {rank for rank in ALL_RANKS if top in _lies_on(now, rank)}


def _opens(now: Rules, rank: int) -> bool:
    if rank in COURTS:
        return now.courts_on_empty is CourtsOnEmpty.YES
    if rank == TEN:
        return now.ten_on_empty is not OnEmpty.ILLEGAL
    return rank != ACE or now.ace_on_empty is not OnEmpty.ILLEGAL


def _lies_on(now: Rules, rank: int) -> Iterable[int]:
    """The tops that a rank may be laid on (the table of section 5, line by line)."""
    if rank == JOKER or (rank == THREE and now.invisible_threes):
        return ALL_RANKS
    if rank == TEN:
        return _ten_lies_on(now)
    if rank == TWO:
        return ALL_RANKS if now.two_on is TwoOn.ANY else ALL_RANKS - {TEN, ACE}
    return _plain_lies_on(now, rank) | (_TWO if now.after_two is AfterTwo.ANY else _NOTHING)


def _ten_lies_on(now: Rules) -> frozenset[int]:
    if now.ten_on is TenOn.LOW:
        return LOW | {TEN} | (_TWO if now.after_two is AfterTwo.ANY else _NOTHING)
    return ALL_RANKS if now.ten_on is TenOn.ANY else ALL_RANKS - _TWO


def _plain_lies_on(now: Rules, rank: int) -> frozenset[int]:
    """3 to 9, courts and aces; what they do on a 2 is left aside."""
    floor = max(now.court_floor - 2, 0)  # a face value to a rank
    above_floor = frozenset(top for top in LOW | COURTS if floor <= top <= rank)
    if rank in COURTS:
        return above_floor
    if rank == ACE:
        return (above_floor if now.ace_on is AceOn.FLOOR else COURTS) | {ACE}
    return frozenset(range(THREE, rank + 1))


def _effect(now: Rules, top: int, rank: int) -> Effect:
    if rank == JOKER:
        return Effect.JOKER
    if rank == TEN:
        return _ten_effect(now, top)
    if rank == ACE:
        return _ace_effect(now, top)
    return Effect.STAYS


def _ten_effect(now: Rules, top: int) -> Effect:
    if _is_empty(top):
        return _ON_EMPTY.get(now.ten_on_empty, Effect.TEN)
    return Effect.STAYS if top == TEN else Effect.TEN


def _ace_effect(now: Rules, top: int) -> Effect:
    if _is_empty(top):
        return _ON_EMPTY.get(now.ace_on_empty, Effect.ACE)
    falls = "aces" in now.relax_after_stock or (now.ace_falls and top in COURTS)
    return Effect.ACE if falls else Effect.STAYS


def _is_empty(top: int) -> bool:
    return top == EMPTY or top >= FREE


def _fours(rules: Rules) -> frozenset[int]:
    if not rules.four_falls:
        return _NOTHING
    return ALL_RANKS - {JOKER} if rules.four_twos_fall else ALL_RANKS - {JOKER, TWO}


def _single(rules: Rules) -> frozenset[int]:
    courts = COURTS if rules.courts_per_play is PerPlay.ONE else _NOTHING
    specials = SPECIALS if rules.specials_per_play is PerPlay.ONE else _NOTHING
    return courts | specials


def _mask(ranks: Iterable[int]) -> int:
    mask = 0
    for rank in ranks:
        mask |= RANK_MASK[rank]
    return mask & CARDS


_TWO: Final = frozenset((TWO,))
_NOTHING: Final[frozenset[int]] = frozenset()
