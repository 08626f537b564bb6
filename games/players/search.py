"""The house bot `search`: guesses the hidden cards as they may lie, plays every choice out, counts.

A budget of plies, never of time, so that a decision is the same on every machine.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from games.engine.actions import lay_text
from games.engine.cards import lowest, mask_of, parse_cards
from games.engine.game import Game
from games.engine.history import EventDict
from games.engine.stand import Stand, Zone
from games.engine.view import View
from games.players.agent import Dice
from games.players.careful import Careful
from games.players.clues import Clues, gather
from games.players.counter import counted
from games.players.rollout import play_on
from games.players.sampler import NoSampleError, Sampler
from games.players.turns import Lay, groups, restless

_HORIZON: Final = 16
"""Plies after which a line is judged by the cards held."""
_MOST_SAMPLES: Final = 60
_TRUST: Final = 0.01
"""A choice must promise so much less loss than the one that counting advises."""


@dataclass(frozen=True)
class Search(Careful):
    """Looks ahead where there is a choice between open lays; else plays like `counter`."""

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
        stand = view.stand
        if stand.claims or stand.zone is Zone.DOWN or restless(view, events, dice):
            return super()._turn(view, events, dice)
        choices = _choices(stand)
        if len(choices) < 2:
            return super()._turn(view, events, dice)
        advised = super()._turn(view, events, dice)
        try:
            return self._searched(view, events, choices, advised, dice)
        except NoSampleError:
            return advised

    def _searched(
        self,
        view: View,
        events: Sequence[EventDict],
        choices: Sequence[str],
        advised: str,
        dice: Dice,
    ) -> str:
        """The choice that loses least over the samples that the budget pays for."""
        assert view.seat is not None
        losses = dict.fromkeys(choices, 0.0)
        left, samples = self.nodes, 0
        rng = random.Random(dice.below(1 << 64))  # noqa: S311 - a bot's guesses are no secret
        for state in states(gather(view, events), rng):
            for choice in choices:
                line = state.clone()
                line.play(view.seat, choice)
                losses[choice] += play_on(line, view.seat, _HORIZON)
                left -= line.ply - state.ply
            samples += 1
            if left <= 0 or samples == _MOST_SAMPLES:
                break
        if advised in losses:
            losses[advised] -= _TRUST * samples
        least = min(losses.values())
        return dice.pick([choice for choice in choices if losses[choice] <= least + 1e-9])


def _choices(stand: Stand) -> list[str]:
    """All that may be done, but for which cards of a rank are laid."""
    lays = [
        lay_text(lowest(lay.cards, number))
        for lay in groups(stand)
        for number in range(lay.count, 0, -1)
    ]
    marks = zip("UXD", (stand.may_pick_up, stand.may_chance, stand.may_draw), strict=True)
    return lays + [mark for mark, may in marks if may]


def states(clues: Clues, rng: random.Random) -> Iterator[Game]:
    """States of the game that give exactly the view and the events, at random, without end. Raises
    `NoSampleError`."""
    sampler = Sampler(clues, rng)
    sampler.next()
    game = replayed(clues, sampler.deck())
    codes = None if clues.size > 56 else _codes(clues, game)
    while True:
        yield game
        sampler.next()
        deck = sampler.deck()
        game = replayed(clues, deck) if codes is None else _repeated(clues, deck, codes)


def replayed(clues: Clues, deck: tuple[int, ...]) -> Game:
    """The game with this deck, as far as it has come, each action checked."""
    game = _dealt(clues, deck)
    for seat, action in clues.actions:
        assert isinstance(action, str)
        game.play(seat, action)
    return game


def _dealt(clues: Clues, deck: tuple[int, ...]) -> Game:
    return Game(clues.view.rules, clues.view.players, clues.view.dealer, deck)


def _codes(clues: Clues, game: Game) -> list[int]:
    """The actions as codes that mean the same whatever else a hand holds: lays name their cards."""
    return [
        mask_of(parse_cards(action[2:])) if action[0] == "P" else code
        for (_, action), code in zip(clues.actions, game.log, strict=True)
        if isinstance(action, str)
    ]


def _repeated(clues: Clues, deck: tuple[int, ...], codes: Sequence[int]) -> Game:
    """The game with another deck of one pack; what was checked once needs no second look."""
    game = _dealt(clues, deck)
    for code in codes:
        game.push(code)
    return game
