"""What `cautious`, `counter` and `search` have in common: everything but the choice of a lay."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from games.engine.actions import lay_text
from games.engine.history import EventDict
from games.engine.phases import Phase
from games.engine.stand import Stand, Zone
from games.engine.view import View
from games.players.agent import Dice
from games.players.bluffing import Bluffing
from games.players.tips import tipped, treasures_up
from games.players.turns import Lay, groups, least_tried, restless, slot, some_of, without_a_lay


@dataclass(frozen=True)
class Careful:
    """Plays by the tips; subclasses choose better among several lays."""

    bluffing: Bluffing = field(default_factory=Bluffing)

    def varied(self, settings: Mapping[str, str]) -> Self:
        """The same bot with another way of bluffing. Raises `ValueError`."""
        return replace(self, bluffing=self.bluffing.varied(settings))

    def choose(self, view: View, events: Sequence[EventDict], seed: bytes) -> str:
        """Swap treasures up, answer and claim by the odds, lay by taste."""
        dice = Dice(seed)
        if view.phase is Phase.SWAP:
            return treasures_up(view)
        if view.answers:
            return self.bluffing.answer(view, events, dice)
        return self._turn(view, events, dice)

    def taste(
        self, view: View, events: Sequence[EventDict], stand: Stand, choices: list[Lay]
    ) -> Lay:
        """The lay it likes best; there is at least one."""
        return tipped(view, stand, choices)

    def _turn(self, view: View, events: Sequence[EventDict], dice: Dice) -> str:
        stand = view.stand
        if stand.zone is Zone.DOWN:
            return slot(stand, dice)

        def wanted(stand: Stand, choices: list[Lay]) -> Lay:
            if restless(view, events, dice):
                return some_of(dice.pick(least_tried(view, events, choices)), dice)
            return self.taste(view, events, stand, choices)

        if stand.claims:
            return self.bluffing.claim(view, events, dice, wanted)
        choices = groups(stand)
        return lay_text(wanted(stand, choices).cards) if choices else without_a_lay(stand, dice)
