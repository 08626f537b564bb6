"""What may lie on what and what it does, compiled once per rule set (rules.md sections 5 and 6).

Each rule is one small named piece that answers for one moment (with a stock, without); the game
only looks up `lay[stock_left][top]` and `effect[stock_left][top][rank]`, and what comes of both:
menus of codes, and all about a lay by its code.
"""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from games.engine.actions import CHANCE, CLAIM, PICK_UP
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
    ranks_in,
)
from games.engine.holdings import HOLD
from games.engine.menu import Codes, Menu, menu
from games.engine.rules import (
    AceOn,
    AfterLie,
    AfterTruth,
    AfterTwo,
    ChallengeMode,
    Challengers,
    CourtsOnEmpty,
    OnEmpty,
    PerPlay,
    PickUp,
    Rules,
    StockChance,
    TenOn,
    TrueFall,
    TwoOn,
)
from games.engine.tops import (
    EMPTY,
    FREE,
    MUST,
    ONLY_THREES,
    TOPS,
    Effect,
    Linker,
    Tops,
    tops,
)

_ALL_CARDS: Final = 108  # two packs and four jokers
_ON_EMPTY: Final = {
    OnEmpty.STAYS: Effect.STAYS,
    OnEmpty.ILLEGAL: Effect.STAYS,  # after passes it lies there, neither falling nor feeding
    OnEmpty.FEEDS_AGAIN: Effect.FEEDS_AGAIN,
    OnEmpty.FEEDS_PASS: Effect.FEEDS_PASS,
}


@dataclass(frozen=True, slots=True)
class Moment:
    """The rules while there is a stock, or from when there is none."""

    lay: tuple[int, ...]
    """[top]: the cards that may be laid, as a mask over the whole pack."""
    effect: tuple[tuple[Effect, ...], ...]
    """[top][rank]: fall or feed, four of a kind left aside."""
    swift: Tops
    """The tops as `step` takes quick ways on them."""
    careful: Tops
    """The same without quick ways."""
    picks_up: bool
    """Whether a pile may be picked up by who could lay too."""


@dataclass(frozen=True, slots=True)
class Tables:
    """A rule set ready for play. Index 0: no stock left, 1: a stock."""

    rules: Rules
    moments: tuple[Moment, Moment]
    lay: tuple[tuple[int, ...], ...]
    """[stock][top]: the cards that may be laid."""
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
    wary: int
    """From this ply on every ply looks at the cap. Before, a quick lay that has no effect need not:
    cards come back from a pile only by plies that look, so no more lays than cards come between."""
    stalemate_repeats: int
    bluff: bool
    first: bool
    """Whether the first challenge settles a claim at once."""
    asks_all: bool
    """Whether all may challenge, not the next player alone."""
    left_of_liar: bool
    """Whether after a lie the seat left of the liar opens, not the challenger."""
    left_of_challenger: bool
    """Whether after the truth the seat left of the challenger opens, not the claimant."""
    true_falls: bool
    """Whether a pile falls although its last claim was challenged."""


@lru_cache(maxsize=1024)
def tables(rules: Rules) -> Tables:
    """Compile a rule set."""
    moments = (
        _moment(rules, _without_stock(rules), stock=False),
        _moment(rules, _with_stock(rules), stock=True),
    )
    return Tables(
        rules=rules,
        moments=moments,
        lay=tuple(moment.lay for moment in moments),
        effect=tuple(moment.effect for moment in moments),
        fours=_fours(rules),
        invisible=THREE if rules.invisible_threes else 0,
        single=_single(rules),
        claimable=tuple(range(THREE, JOKER + 1 if rules.jokers else JOKER)),
        hand_size=0 if rules.hand_size == "all" else rules.hand_size,
        max_plies=rules.max_plies,
        wary=rules.max_plies - _ALL_CARDS,
        stalemate_repeats=rules.stalemate_repeats,
        bluff=rules.bluff,
        first=rules.challenge_mode is ChallengeMode.FIRST,
        asks_all=rules.challengers is Challengers.ANYONE,
        left_of_liar=rules.after_lie is AfterLie.LEFT_OF_LIAR,
        left_of_challenger=rules.after_truth is AfterTruth.LEFT_OF_CHALLENGER,
        true_falls=rules.true_fall is TrueFall.PILE_FALLS,
    )


def _moment(rules: Rules, now: Rules, *, stock: bool) -> Moment:
    lies_on = {rank: _lies_on(now, rank) for rank in ALL_RANKS}
    fitting = tuple(frozenset(_fitting(now, top, lies_on)) for top in TOPS)
    effect = tuple(tuple(_effect(now, top, rank) for rank in range(JOKER + 1)) for top in TOPS)
    lay = tuple(map(_mask, fitting))
    row = hand = tuple(_menu(rules, lay[top], top, stock, claims=False) for top in TOPS)
    if rules.bluff:
        hand = tuple(_menu(rules, lay[top], top, stock, claims=True) for top in TOPS)
    swift = careful = tops(hand, row, [-1] * len(TOPS))
    if _is_simple(rules):
        swift = tops(hand, row, [_bars(rules, lay[top], top) << HOLD for top in TOPS])
        linker = Linker(swift, CLAIM if rules.bluff else 0, _single(rules), _fours(rules))
        for top in TOPS:
            linker.link(top, fitting[top], effect[top])
    return Moment(lay, effect, swift, careful, rules.pick_up is PickUp.ANY_TIME)


def _bars(rules: Rules, lay: int, top: int) -> int:
    """The cards with which a hand may not pick up: nobody picks up an empty pile; who could lay or
    claim only where that is a choice."""
    if _is_empty(top):
        return CARDS
    if rules.pick_up is PickUp.ANY_TIME:
        return 0
    return CARDS if rules.bluff else lay


def _is_simple(rules: Rules) -> bool:
    """Whether a lay has nothing to keep up to date but hand, pile and turn: no invisible 3s, no
    drawing first, no passes."""
    barred = OnEmpty.ILLEGAL in (rules.ten_on_empty, rules.ace_on_empty)
    passes = barred or rules.courts_on_empty is not CourtsOnEmpty.YES
    return not (rules.invisible_threes or rules.draw_first or passes)


def _menu(rules: Rules, lay: int, top: int, stock: bool, *, claims: bool) -> Menu:
    single = _single(rules)
    if rules.draw_first:
        return menu(0, single, (), (), claims=False)
    there = lay if rules.jokers else lay & ~RANK_MASK[JOKER]
    fits = 0xF * ranks_in(there & _ONE_OF_EACH)
    able, stuck = _beside(rules, stock) if EMPTY < top < FREE else ((), ())
    return menu(fits, single, able, () if claims else stuck, claims=claims)


def _beside(rules: Rules, stock: bool) -> tuple[Codes, Codes]:
    """What may be done beside laying, and where no card fits, while there is a pile."""
    able = (PICK_UP,) if rules.pick_up is PickUp.ANY_TIME else ()
    chances = stock and rules.stock_chance is StockChance.WHEN_STUCK
    return able, (PICK_UP, CHANCE) if chances else (PICK_UP,)


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


def _fitting(now: Rules, top: int, lies_on: Mapping[int, Container[int]]) -> Iterable[int]:
    """The ranks that may be laid on this top, by the tops that each rank may be laid on."""
    if top > MUST:
        return {top - MUST}
    if top == EMPTY:
        return {rank for rank in ALL_RANKS if _opens(now, rank)}
    if top in (FREE, ONLY_THREES):
        return ALL_RANKS
    if top == SEVEN and now.seven_stop:
        return {*range(THREE, SEVEN + 1), TWO, JOKER}
    return {rank for rank, tops in lies_on.items() if top in tops}


def _opens(now: Rules, rank: int) -> bool:
    if rank in COURTS:
        return now.courts_on_empty is CourtsOnEmpty.YES
    if rank == TEN:
        return now.ten_on_empty is not OnEmpty.ILLEGAL
    return rank != ACE or now.ace_on_empty is not OnEmpty.ILLEGAL


def _lies_on(now: Rules, rank: int) -> Container[int]:
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


_ONE_OF_EACH: Final = sum(1 << 8 * rank for rank in ALL_RANKS)
_TWO: Final = frozenset((TWO,))
_NOTHING: Final[frozenset[int]] = frozenset()
