"""The house bot `lowest`: gets rid of its lowest cards, tells the truth where it can, doubts seldom."""

from collections.abc import Sequence

from games.engine.actions import claim_text, lay_text
from games.engine.cards import RANK_MASK, lowest
from games.engine.history import EventDict
from games.engine.phases import Phase
from games.engine.stand import Stand, Zone
from games.engine.view import View
from games.players.agent import Dice

_DOUBTS = 8
"""It challenges one claim in so many."""


class Lowest:
    """Lays of its lowest legal rank; how many, and which slot, is left to the dice."""

    def choose(self, view: View, events: Sequence[EventDict], seed: bytes) -> str:
        dice = Dice(seed)
        if view.phase is Phase.SWAP:
            return "S:/"
        if view.answers:
            return "." if dice.below(_DOUBTS) else "!"
        return _turn(view.stand, dice)


def _turn(stand: Stand, dice: Dice) -> str:
    if stand.zone is Zone.DOWN:
        return f"B:{dice.pick([slot for slot in range(5) if stand.slots >> slot & 1])}"
    if stand.playable:
        return _lay(stand, dice)
    if stand.claims:
        return "U" if stand.may_pick_up and dice.below(2) else _lie(stand, dice)
    return _stuck(stand, dice)


def _lay(stand: Stand, dice: Dice) -> str:
    """Some of the lowest legal rank, truthfully."""
    first = lowest(stand.playable, 1)
    rank = first.bit_length() - 1 >> 3
    group = stand.playable & RANK_MASK[rank]
    cards = first if rank in stand.tables.single else dice.subset(group)
    return claim_text(cards, rank) if stand.claims else lay_text(cards)


def _lie(stand: Stand, dice: Dice) -> str:
    return claim_text(lowest(stand.hand, 1), dice.pick(stand.namable))


def _stuck(stand: Stand, dice: Dice) -> str:
    marks = zip("UXD", (stand.may_pick_up, stand.may_chance, stand.may_draw), strict=True)
    return dice.pick([mark for mark, may in marks if may] or ["-"])
