"""The house bot `counter`: `cautious` that remembers what has gone, been shown or picked up.

Of the plain lays it takes the one that the next player can least likely follow, the more so the
more lies on the pile.
"""

from collections.abc import Sequence
from typing import Final

from games.engine.cards import ACE
from games.engine.history import EventDict
from games.engine.stand import Stand
from games.engine.tops import Effect
from games.engine.view import View
from games.players.careful import Careful
from games.players.memory import Memory, none_fits, remember
from games.players.tips import tipped
from games.players.turns import (
    Lay,
    clears,
    effect,
    others,
    pile_size,
)

_STUCK: Final = 1.0
"""What it is worth, in ranks, that the next player gets one card of the pile more surely."""


class Counter(Careful):
    """Weighs every plain lay by what it leaves the next player."""

    def taste(
        self, view: View, events: Sequence[EventDict], stand: Stand, choices: list[Lay]
    ) -> Lay:
        """The tips' lay, or a plain one that is harder to follow."""
        return counted(view, events, stand, choices)


def counted(view: View, events: Sequence[EventDict], stand: Stand, choices: list[Lay]) -> Lay:
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
    """How likely a seat can lay nothing on this rank: 0 if a fitting card is known to be there."""
    fits = stand.tables.lay[stand.stock][rank]
    if not view.hands[seat]:
        row = view.ups[seat]
        return float(not row & fits) if row else none_fits(memory, fits, 1)
    if memory.hands[seat] & fits:
        return 0.0
    return none_fits(memory, fits, view.hands[seat] - memory.hands[seat].bit_count())
