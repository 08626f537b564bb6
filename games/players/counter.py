"""The house bot `counter`: `cautious` with a memory of what has gone, been shown and been picked up.

Of the plain lays it takes the one that the next player can least likely follow, the more so the more
lies on the pile.
"""

from collections.abc import Sequence
from math import comb
from typing import Final

from games.engine.actions import lay_text
from games.engine.cards import ACE, RANK_MASK
from games.engine.history import EventDict
from games.engine.phases import Phase
from games.engine.stand import Stand, Zone
from games.engine.tables import Effect
from games.engine.view import View
from games.players.agent import Dice
from games.players.cautious import tipped, treasures_up
from games.players.memory import Memory, remember
from games.players.turns import (
    Lay,
    clears,
    effect,
    groups,
    others,
    pile_size,
    restless,
    slot,
    some_of,
    without_a_lay,
)

_STUCK: Final = 1.0
"""What it is worth, in ranks, that the next player gets one card of the pile more surely."""


class Counter:
    """Weighs every plain lay by what it leaves the next player."""

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
        return lay_text(counted(view, events, stand, choices).cards)


def counted(
    view: View, events: Sequence[EventDict], stand: Stand, choices: list[Lay]
) -> Lay:
    """The tips' lay, or a plain one that is harder to follow."""
    advised = tipped(view, stand, choices)
    if clears(advised) or advised.rank == ACE or effect(view, stand, advised) is Effect.FOUR:
        return advised
    memory = remember(view, events)
    plain = [lay for lay in choices if not clears(lay) and lay.rank != ACE]
    weight = _STUCK * (1 + pile_size(view))
    following = others(view)[0]

    def worth(lay: Lay) -> float:
        stuck = stuck_chance(view, stand, memory, following, lay.rank)
        return weight * stuck - abs(lay.rank - advised.rank)

    return max(plain, key=worth)


def stuck_chance(view: View, stand: Stand, memory: Memory, seat: int, rank: int) -> float:
    """How likely a seat can lay nothing on this rank: 0 if a card that fits is known to be there."""
    fits = stand.tables.lay[stand.stock][rank]
    if not view.hands[seat]:
        row = view.ups[seat]
        return float(not row & fits) if row else none_fits(memory, fits, 1)
    if memory.hands[seat] & fits:
        return 0.0
    return none_fits(memory, fits, view.hands[seat] - memory.hands[seat].bit_count())


def none_fits(memory: Memory, fits: int, number: int) -> float:
    """How likely none of so many unseen cards fits."""
    number = max(number, 0)
    good = sum(memory.unseen[rank] for rank in range(1, 15) if fits & RANK_MASK[rank])
    bad = memory.hidden - good
    return comb(bad, number) / comb(memory.hidden, number) if number <= memory.hidden else 0.0
