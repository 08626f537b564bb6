"""The house bot `counter`: remembers what has gone, been shown and been picked up, and plays by it.

It lays what the next player can least likely follow, weighed against what the cards are worth to keep.
"""

from collections.abc import Sequence
from math import comb
from typing import Final

from games.engine.actions import lay_text
from games.engine.cards import ACE, JOKER, RANK_MASK, TEN, TWO, lowest, rank_counts
from games.engine.history import EventDict
from games.engine.phases import Phase
from games.engine.rules import PickUp
from games.engine.stand import Stand, Zone
from games.engine.tables import EMPTY, Effect
from games.engine.view import View
from games.players.agent import Dice
from games.players.cautious import treasures_up
from games.players.memory import Memory, remember
from games.players.turns import (
    Lay,
    effect,
    groups,
    held,
    others,
    pile_size,
    restless,
    slot,
    some_of,
    without_a_lay,
)

W = dict(
    stuck=1.5,
    pile=0.25,
    worth=1.0,
    shed=0.6,
    fall=1.5,
    end=1.0,
    T=5.0,
    two=4.0,
    A=2.5,
    J=0.0,
    low=0.0,
    step=0.25,
    endstep=-0.15,
    split=0.3,
    own=0.5,
)


class Counter:
    """Weighs every lay by what it does to the next player and to its own hand."""

    def __init__(self, **kw):
        self.w = {**W, **kw}

    def choose(self, view: View, events: Sequence[EventDict], seed: bytes) -> str:
        dice = Dice(seed)
        if view.phase is Phase.SWAP:
            return treasures_up(view)
        stand = view.stand
        if stand.zone is Zone.DOWN:
            return slot(stand, dice)
        choices = groups(stand)
        if not choices:
            return without_a_lay(stand, dice)
        if restless(view, events, dice):
            return lay_text(some_of(dice.pick(choices), dice).cards)
        memory = remember(view, events)
        every = [Lay(l.rank, lowest(l.cards, n)) for l in choices for n in range(1, l.count + 1)]
        if len(every) == 1:
            return lay_text(every[0].cards)
        scores = [self.score(view, stand, memory, l) for l in every]
        best = max(scores)
        return lay_text(dice.pick([l for l, s in zip(every, scores) if s > best - 1e-9]).cards)

    def score(self, view, stand, memory, lay):
        w = self.w
        does = effect(view, stand, lay)
        size = pile_size(view)
        endgame = view.stock == 0
        n = lay.count
        r = lay.rank
        zone = stand.hand or stand.row
        # what the cards are worth
        if r == TEN:
            worth = w["T"]
        elif r == JOKER:
            worth = w["T"] + 1
        elif r == TWO:
            worth = w["two"]
        elif r == ACE:
            worth = w["A"]
        else:
            worth = r * (w["endstep"] if endgame else w["step"])
        value = w["shed"] * n * (2 if endgame else 1) - worth * (
            n if r in (TEN, TWO, ACE, JOKER) else 1
        )
        total = (zone & RANK_MASK[r]).bit_count()
        if n < total:
            value -= w["split"]
        if does and does <= Effect.FOUR:
            return value + w["fall"] + w["pile"] * min(size, 10) * 0.5
        nxt = others(view)[0]
        p = stuck_chance(view, stand, memory, nxt, r)
        close = min(held(view, s) for s in others(view))
        value += (
            p
            * (w["stuck"] + w["pile"] * min(size + n, 12))
            * (1 + (w["end"] if held(view, nxt) <= 3 else 0))
        )
        return value


def stuck_chance(view: View, stand: Stand, memory: Memory, seat: int, rank: int) -> float:
    fits = stand.tables.lay[stand.stock][rank]
    if view.hands[seat] == 0:
        row = view.ups[seat]
        if row:
            return float(not row & fits)
        return chance_none(memory.unseen, fits, 1, memory.hidden)
    if memory.hands[seat] & fits:
        return 0.0
    unknown = view.hands[seat] - memory.hands[seat].bit_count()
    return chance_none(memory.unseen, fits, unknown, memory.hidden)


def chance_none(unseen, fits, unknown, hidden):
    counts = rank_counts(fits & ALL)
    good = sum(unseen[r] for r in range(1, 15) if fits & RANK_MASK[r])
    if hidden - good < unknown:
        return 0.0
    return comb(hidden - good, unknown) / comb(hidden, unknown) if unknown > 0 else 1.0


ALL = (1 << 120) - 1
