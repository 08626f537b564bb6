"""Whole games in memory: each decision asked with its own view and its own seed."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import overload

from games.engine.game import Game
from games.engine.history import EventDict, History
from games.engine.phases import Phase
from games.engine.rules import Rules
from games.engine.view import view
from games.players.agent import Agent


class Seen(Sequence[EventDict]):
    """What a seat has seen since the deal: a history that only grows, each event written once."""

    def __init__(self, game: Game, seat: int) -> None:
        self._history = History(game, seat)
        self._written: list[EventDict] = []

    def __len__(self) -> int:
        return len(self._history)

    @overload
    def __getitem__(self, index: int) -> EventDict: ...
    @overload
    def __getitem__(self, index: slice) -> list[EventDict]: ...
    def __getitem__(self, index: int | slice) -> EventDict | list[EventDict]:
        return self._all()[index]

    def __iter__(self) -> Iterator[EventDict]:
        return iter(self._all())

    def _all(self) -> list[EventDict]:
        if len(self._written) < len(self._history):
            self._written += self._history[len(self._written) :]
        return self._written


def decision_seed(deck_secret: bytes, seat: int, decision: int) -> bytes:
    """The seed of one decision: SHA-256 over the deck's secret, the seat, the decision's number."""
    return hashlib.sha256(deck_secret + bytes((seat,)) + decision.to_bytes(4, "big")).digest()


def play_out(
    rules: Rules,
    players: int,
    dealer: int,
    deck: tuple[int, ...],
    agents: Sequence[Agent],
    secret: bytes,
) -> Game:
    """Play a round to its end; `agents` by seat. The next player is asked to close a window of
    `challenge_mode: first` only after all answers are in."""
    game = Game(rules, players, dealer, deck)
    game.story = []
    seen = [Seen(game, seat) for seat in range(players)]
    while game.phase is not Phase.OVER:
        phase, asked = game.phase, game.answer_order()
        said = [
            agents[seat].choose(
                view(game, seat), seen[seat], decision_seed(secret, seat, game.moves[seat])
            )
            for seat in asked
        ]
        for seat, action in zip(asked, said, strict=True):
            if game.phase is phase:  # the first challenge may have closed the window
                game.play(seat, action)
    return game
