"""The house bot `random`: every legal action is as good as any other, but deals must end."""

from collections.abc import Sequence
from typing import Final

from games.engine.actions import claim_text, swap_text
from games.engine.cards import RANKS, cards_in, mask_of
from games.engine.history import EventDict
from games.engine.tables import tables
from games.engine.view import View
from games.players.agent import Dice

_PATIENCE: Final = 1000
"""From this ply on it lays all it can of a rank: else one deal in some thousands lasts for ever."""


class Random:
    """Picks an entry of the legal actions, then how to carry it out, by the dice."""

    def choose(self, view: View, events: Sequence[EventDict], seed: bytes) -> str:
        """See `Agent.choose`."""
        dice = Dice(seed)
        entry = dice.pick(view.legal())
        if view.ply > _PATIENCE and entry.startswith("P:"):
            entry = max(other for other in view.legal() if other[:3] == entry[:3])
        if entry == "S":
            return _swap(view, dice)
        if entry == "B":
            return f"B:{dice.pick(tuple(_slots(view)))}"
        if entry.startswith("C:"):
            rank = RANKS.index(entry[2])
            one = rank in tables(view.rules).single
            cards = _some(view.hand, 1, dice) if one else dice.subset(view.hand)
            return claim_text(cards, rank)
        return entry


def _swap(view: View, dice: Dice) -> str:
    assert view.seat is not None
    row = view.ups[view.seat]
    number = dice.below(min(view.hand.bit_count(), row.bit_count()) + 1)
    return swap_text(_some(view.hand, number, dice), _some(row, number, dice))


def _some(mask: int, number: int, dice: Dice) -> int:
    cards = list(cards_in(mask))
    return mask_of(cards.pop(dice.below(len(cards))) for _ in range(number))


def _slots(view: View) -> list[int]:
    assert view.seat is not None
    return [slot for slot in range(view.rules.face_down) if view.filled[view.seat] >> slot & 1]
