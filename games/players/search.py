"""The house bot `search`: guesses the hidden cards as they may lie, plays every choice out, counts.

A budget of plies, never of time, so that a decision is the same on every machine.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, Self

from games.engine.actions import claim_text, lay_text
from games.engine.cards import RANKS, card_text, lowest, mask_of, parse_cards
from games.engine.game import Game
from games.engine.history import EventDict
from games.engine.stand import Stand, Zone
from games.engine.view import View
from games.players.agent import Dice
from games.players.careful import Careful
from games.players.clues import Claim, Clues, gather
from games.players.counter import counted
from games.players.hidden_claims import ClaimSampler
from games.players.movements import NoHistoryError
from games.players.rollout import play_on
from games.players.sampler import NoSampleError, Sampler
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


def states(clues: Clues, rng: random.Random) -> Iterator[Game]:
    """States of the game that give exactly the view and the events, at random, without end. Raises
    `NoSampleError` or `NoHistoryError`."""
    sampler = ClaimSampler(clues, rng) if clues.view.rules.bluff else Sampler(clues, rng)
    sampler.next()
    game = replayed(clues, sampler)
    one_pack = clues.size <= 56
    codes = _codes(clues, game) if one_pack else []
    while True:
        yield game
        sampler.next()
        game = _repeated(clues, sampler, codes) if one_pack else replayed(clues, sampler)


class Guess(Protocol):
    """A sampler of either kind."""

    def next(self) -> None:
        """Go on to another guess."""

    def deck(self) -> tuple[int, ...]:
        """How the deck lay."""
        ...

    def cards(self, claim: Claim) -> Sequence[int]:
        """What lies under a claim."""
        ...


def replayed(clues: Clues, guess: Guess) -> Game:
    """The game as guessed, as far as it has come, each action checked."""
    game = _dealt(clues, guess.deck())
    for seat, action in clues.actions:
        if isinstance(action, Claim):
            cards = "".join(map(card_text, guess.cards(action)))
            game.play(seat, f"C:{cards}={RANKS[action.rank]}")
        else:
            game.play(seat, action)
    return game


def _dealt(clues: Clues, deck: tuple[int, ...]) -> Game:
    return Game(clues.view.rules, clues.view.players, clues.view.dealer, deck)


def _codes(clues: Clues, game: Game) -> list[int | Claim]:
    """The actions as codes that mean the same whatever else a hand holds: lays name their cards."""
    return [
        action
        if isinstance(action, Claim)
        else mask_of(parse_cards(action[2:]))
        if action[0] == "P"
        else code
        for (_, action), code in zip(clues.actions, game.log, strict=True)
    ]


def _repeated(clues: Clues, guess: Guess, codes: Sequence[int | Claim]) -> Game:
    """The game with another deck of one pack; what was checked once needs no second look."""
    game = _dealt(clues, guess.deck())
    for code in codes:
        game.push(mask_of(guess.cards(code)) | code.rank if isinstance(code, Claim) else code)
    return game
