"""The house bot `search`: guesses the hidden cards as they may lie, plays every choice out, counts.

A budget of plies, never of time, so that a decision is the same on every machine.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from games.engine.actions import claim_text, lay_text
from games.engine.cards import lowest
from games.engine.game import Game
from games.engine.history import EventDict
from games.engine.stand import Stand, Zone
from games.engine.view import View
from games.players.agent import Dice
from games.players.careful import Careful
from games.players.clues import gather
from games.players.counter import counted
from games.players.movements import NoHistoryError
from games.players.rollout import play_on
from games.players.sampler import NoSampleError
from games.players.states import states
from games.players.turns import Lay, groups, restless

_HORIZON: Final = 16
"""Plies after which a line is judged by the cards held."""
_BLUFF_HORIZON: Final = 40
"""The same in bluff games, where answers are plies too and a guess costs more."""
_MOST_SAMPLES: Final = 60
_MOST_HISTORIES: Final = 10
_TRUST: Final = 0.01
"""A choice must promise so much less loss than the one that counting advises."""


@dataclass(frozen=True)
class Search(Careful):
    """Looks ahead where there is a choice between open lays or true claims; else like `counter`."""

    nodes: int = 1500
    """Plies played out for one decision."""

    def varied(self, settings: Mapping[str, str]) -> Self:
        """The same bot with another budget (`nodes`) or way of bluffing. Raises `ValueError`."""
        rest = {name: value for name, value in settings.items() if name != "nodes"}
        nodes = int(settings.get("nodes", self.nodes))
        return replace(super().varied(rest) if rest else self, nodes=nodes)

    def taste(
        self, view: View, events: Sequence[EventDict], stand: Stand, choices: list[Lay]
    ) -> Lay:
        """What counting advises."""
        return counted(view, events, stand, choices)

    def _turn(self, view: View, events: Sequence[EventDict], dice: Dice) -> str:
        stand, advised = view.stand, super()._turn(view, events, dice)
        if stand.zone is Zone.DOWN or restless(view, events, dice):
            return advised
        if not stand.claims:
            return self._found(view, events, _choices(stand), advised, dice)
        truths = [claim_text(lay.cards, lay.rank) for lay in groups(stand)]
        return self._found(view, events, truths, advised, dice) if advised in truths else advised

    def _found(
        self,
        view: View,
        events: Sequence[EventDict],
        choices: Sequence[str],
        advised: str,
        dice: Dice,
    ) -> str:
        """The choice that loses least over the samples that the budget pays for."""
        if len(choices) < 2:
            return advised
        rng = random.Random(dice.below(1 << 64))  # noqa: S311 - a bot's guesses are no secret
        try:
            losses = self._losses(states(gather(view, events), rng), view, choices, rng)
        except (NoSampleError, NoHistoryError):
            return advised
        if advised in losses:
            losses[advised] -= _TRUST
        least = min(losses.values())
        return dice.pick([choice for choice in choices if losses[choice] <= least + 1e-9])

    def _losses(
        self, found: Iterator[Game], view: View, choices: Sequence[str], rng: random.Random
    ) -> dict[str, float]:
        """By choice, how likely the seat loses after it."""
        assert view.seat is not None
        horizon, most = _HORIZON, _MOST_SAMPLES
        if view.rules.bluff:
            horizon, most = _BLUFF_HORIZON, _MOST_HISTORIES
        losses = dict.fromkeys(choices, 0.0)
        left, samples = self.nodes, 0
        while left > 0 and samples < most:
            state, samples = next(found), samples + 1
            for choice in choices:
                line = state.clone()
                line.play(view.seat, choice)
                losses[choice] += play_on(line, view.seat, horizon, rng)
                left -= line.ply - state.ply
        return {choice: loss / samples for choice, loss in losses.items()}


def _choices(stand: Stand) -> list[str]:
    """All that may be done, but for which cards of a rank are laid."""
    lays = [
        lay_text(lowest(lay.cards, number))
        for lay in groups(stand)
        for number in range(lay.count, 0, -1)
    ]
    marks = zip("UXD", (stand.may_pick_up, stand.may_chance, stand.may_draw), strict=True)
    return lays + [mark for mark, may in marks if may]
