"""The house bot `lowest`: gets rid of its lowest cards, truthfully where it can; doubts seldom."""

from collections.abc import Sequence

from games.engine.actions import claim_text, lay_text
from games.engine.cards import lowest
from games.engine.history import EventDict
from games.engine.phases import Phase
from games.engine.stand import Stand, Zone
from games.engine.view import View
from games.players.agent import Dice
from games.players.turns import Lay, groups, least_tried, restless, slot, some_of, without_a_lay

_DOUBTS = 8
"""It challenges one claim in so many."""


class Lowest:
    """Lays of its lowest legal rank; how many, and which slot, is left to the dice."""

    def choose(self, view: View, events: Sequence[EventDict], seed: bytes) -> str:
        """See `Agent.choose`."""
        dice = Dice(seed)
        if view.phase is Phase.SWAP:
            return "S:/"
        if view.answers:
            return "." if dice.below(_DOUBTS) else "!"
        return _turn(view, events, dice)


def _turn(view: View, events: Sequence[EventDict], dice: Dice) -> str:
    stand = view.stand
    if stand.zone is Zone.DOWN:
        return slot(stand, dice)
    if stand.playable and restless(view, events, dice):
        return _say(stand, some_of(dice.pick(least_tried(view, events, groups(stand))), dice))
    if stand.playable:
        return _lay(stand, dice)
    if stand.claims:
        return "U" if stand.may_pick_up and dice.below(2) else _lie(stand, dice)
    return without_a_lay(stand, dice)


def _lay(stand: Stand, dice: Dice) -> str:
    """Some of the lowest legal rank, truthfully."""
    return _say(stand, some_of(groups(stand)[0], dice))


def _say(stand: Stand, lay: Lay) -> str:
    return claim_text(lay.cards, lay.rank) if stand.claims else lay_text(lay.cards)


def _lie(stand: Stand, dice: Dice) -> str:
    return claim_text(lowest(stand.hand, 1), dice.pick(stand.namable))
