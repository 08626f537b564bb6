"""The bluffing side of house bots (rules.md section 9): when to lie, what to name, whom to doubt.

Weighs odds from what a memory knows; what a bot lays when it tells the truth is its own taste.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import comb
from typing import Final

from games.engine.actions import claim_text
from games.engine.cards import ACE, JOKER, RANK_MASK, TEN, TWO, cards_in, rank_counts
from games.engine.history import EventDict
from games.engine.stand import Stand
from games.engine.tops import EMPTY
from games.engine.view import View
from games.players.agent import Dice
from games.players.memory import Memory, none_fits, remember
from games.players.turns import Lay, groups, held, others

_TRUSTED: Final = 2.0
"""How much more a true claim weighs than a false one; fitted to the bots' own claims."""
_BOLD: Final = 0.1
"""So much rarer is a lie with each further card."""
_LEAST: Final = 0.05
"""So often a lie is told without need."""
_SURE: Final = 0.93
"""Doubt pays from this chance of a lie on: a catch helps all others, an error hurts oneself."""
_SURE_OF_THE_LAST: Final = 0.72
"""The same where there is but one rival."""
_SURE_IF_STUCK: Final = 0.5
"""The same for who is next and would have to lie or to pick up."""
_SURE_AT_THE_DOOR: Final = 0.4
"""The same when the claimant would be out."""
_KEEP: Final = frozenset((TEN, ACE, TWO, JOKER))


class Habit(StrEnum):
    """How a bot comes to lie or to doubt."""

    ODDS = "odds"
    NEVER = "never"
    COIN = "coin"


@dataclass(frozen=True)
class Bluffing:
    """One bot's way of bluffing."""

    lies: Habit = Habit.ODDS
    doubts: Habit = Habit.ODDS

    def varied(self, settings: Mapping[str, str]) -> "Bluffing":
        """The same with other habits. Raises `ValueError`."""
        unknown = settings.keys() - {"lies", "doubts"}
        if unknown:
            raise ValueError(f"no such setting: {', '.join(sorted(unknown))}; lies, doubts")
        return replace(self, **{name: Habit(value) for name, value in settings.items()})

    def claim(
        self,
        view: View,
        events: Sequence[EventDict],
        dice: Dice,
        taste: Callable[[Stand, list[Lay]], Lay],
    ) -> str:
        """What to claim from a hand, or `U`; `taste` chooses among true lays."""
        stand = view.stand
        choices = groups(stand)
        truth = taste(stand, choices) if choices else None
        if self.lies is Habit.COIN and dice.below(2):
            return lie(view, remember(view, events), dice)
        if self.lies is Habit.ODDS and truth is None:
            return lie(view, remember(view, events), dice)
        if truth is not None:
            return claim_text(truth.cards, truth.rank)
        return "U" if stand.may_pick_up else lie(view, remember(view, events), dice)

    def answer(self, view: View, events: Sequence[EventDict], dice: Dice) -> str:
        """Doubt the open claim or let it stand."""
        if self.doubts is Habit.ODDS:
            return "!" if chance_of_lie(view, events) > sureness(view) else "."
        return "!" if self.doubts is Habit.COIN and dice.below(2) else "."


def lie(view: View, memory: Memory, dice: Dice) -> str:
    """The worst card under the most credible name."""
    return claim_text(1 << worst(view.hand), _credible(view, memory, dice))


def worst(hand: int) -> int:
    """The card that one would be rid of first: no treasure, and no part of a pair."""
    counts = rank_counts(hand)
    return min(cards_in(hand), key=lambda card: (card >> 3 in _KEEP, counts[card >> 3], card))


def _credible(view: View, memory: Memory, dice: Dice) -> int:
    """A rank of which most cards may still be in this hand, as others see it."""
    own = rank_counts(view.hand)
    ranks = view.stand.namable
    most = max(memory.unseen[rank] + own[rank] for rank in ranks)
    return dice.pick([rank for rank in ranks if memory.unseen[rank] + own[rank] == most])


def sureness(view: View) -> float:
    """How sure of a lie one must be to doubt it."""
    rivals = len(others(view))
    if held(view, view.turn) == 0 and view.stock == 0:
        return 0.0 if rivals == 1 else _SURE_AT_THE_DOOR
    fits = view.tables.lay[view.stock > 0][view.top]
    stuck = _is_next(view) and not view.hand & fits
    if stuck:
        return _SURE_IF_STUCK
    return _SURE_OF_THE_LAST if rivals == 1 else _SURE


def _is_next(view: View) -> bool:
    """Whether the turn comes to this seat once the claim stands."""
    assert view.seat is not None
    steps = (view.seat - view.turn) % view.players
    return all((seat - view.turn) % view.players in (0, *range(steps, 6)) for seat in others(view))


def chance_of_lie(view: View, events: Sequence[EventDict]) -> float:
    """By Bayes: who holds no card that he might name truthfully has to lie, and picks any name; who
    holds the named rank may well name it."""
    claim, memory = view.pile[-1], _before_claim(view, events)
    has = chance_of_having(view, memory, claim.rank, claim.count)
    compiled = view.tables
    fits = compiled.lay[view.stock > 0][_top_before(view)]
    number = view.hands[view.turn] + claim.count
    must_lie = 0.0 if memory.hands[view.turn] & fits else none_fits(memory, fits, number)
    names = sum(1 for rank in compiled.claimable if fits & RANK_MASK[rank])
    lies = max(must_lie, _LEAST) * _BOLD ** (claim.count - 1) / max(names, 1)
    return lies / (lies + has * _TRUSTED) if has else 1.0


def _top_before(view: View) -> int:
    """The rank that the open claim was laid on."""
    below = view.pile[:-1]
    return below[-1].rank if below else EMPTY


def _before_claim(view: View, events: Sequence[EventDict]) -> Memory:
    """The memory as it was when the open claim was made."""
    last = next(n for n in range(len(events) - 1, -1, -1) if events[n]["event"] == "claim")
    return remember(view, events[:last])


def chance_of_having(view: View, memory: Memory, rank: int, number: int) -> float:
    """How likely the claimant had so many of the rank: known cards, and a share of the unseen."""
    known = (memory.hands[view.turn] & RANK_MASK[rank]).bit_count()
    if known >= number:
        return 1.0
    cards = view.hands[view.turn] + number
    return at_least(number - known, cards - known, memory.unseen[rank] - known, memory.hidden)


def at_least(number: int, drawn: int, good: int, total: int) -> float:
    """Chance of at least `number` good ones among `drawn` of `total` (hypergeometric).

    >>> at_least(1, 1, 1, 4)
    0.25
    """
    drawn = min(drawn, total)
    if number > min(good, drawn):
        return 0.0
    few = sum(comb(good, k) * comb(total - good, drawn - k) for k in range(number))
    return 1 - few / comb(total, drawn)
