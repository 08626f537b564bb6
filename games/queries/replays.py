"""Games replayed from what the rows keep, and held in this process for a while.

A cached engine game is shared by all readers: `clone` it before anything is played on it. Rules,
deck and actions are the whole game, so (game, ply) can never go stale.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from games.engine import (
    Game,
    Phase,
    Record,
    Rules,
    decode_actions,
    iter_actions,
    rules_from_card,
    shuffled_deck,
)
from games.engine.rules import ChallengeMode
from games.models import Game as GameRow
from games.models import GameRecord, RulesCard
from games.queries.rules_cards import named

CACHED_GAMES = 1024


class Start(NamedTuple):
    """All that a replay begins from."""

    rules: Rules
    players: int
    dealer: int
    deal_seed: bytes
    packs: int
    jokers: int

    def game(self) -> Game:
        """The game as dealt, nobody has acted."""
        return Game(self.rules, self.players, self.dealer, self.deck())

    def deck(self) -> tuple[int, ...]:
        """The pack, card 0 first."""
        return _shuffled(self.deal_seed, self.packs, self.jokers)


class Step(NamedTuple):
    """One action of a replay. `game` is the state after it, and goes on with the iteration."""

    seat: int
    move_number: int
    action: str
    game: Game
    # An answer that was pushed together with others, some of which follow.
    more: bool


class Past(NamedTuple):
    """A decision taken before: its ply, its action, the game just before it and after it.

    `after` is the game when all sealed answers of the same commit had been pushed.
    """

    ply: int
    action: str
    before: Game
    after: Game


@lru_cache(maxsize=256)
def rules_of_card(card: str) -> Rules:
    """The rules of a stored card; the same object for the same card."""
    return rules_from_card(card)


def rules_of(game: GameRow | GameRecord) -> Rules:
    """The rules of a game; reads the card unless it was selected along."""
    rules: RulesCard = game.rules
    return rules_of_card(rules.card)


def start_of(game: GameRow) -> Start:
    """What the replay of a dealt game begins from; `rules` and `deck` should be selected along."""
    deck = game.deck
    assert deck.deal_seed is not None, "a game that has not been dealt has no cards"
    return Start(
        rules_of(game),
        game.players,
        game.dealer,
        bytes(deck.deal_seed),
        deck.packs,
        deck.jokers,
    )


def replayed(game: GameRow) -> Game:
    """The engine game of a row at its ply, for the caller alone."""
    return shared(game).clone()


def shared(game: GameRow) -> Game:
    """The engine game of a row at its ply, shared: not to be played on."""
    found = _cache.get(game.id, game.ply)
    if found is None:
        found = decode_actions(start_of(game).game(), bytes(game.actions))
        keep(game.id, found)
    return found


def shared_at(game: GameRow, ply: int) -> Game:
    """The engine game of a row as it stood after `ply` actions, shared likewise."""
    if ply == game.ply:
        return shared(game)
    found = _cache.get(game.id, ply)
    if found is None:
        found = at_ply(start_of(game), bytes(game.actions), ply)
        keep(game.id, found)
    return found


def keep(game_id: UUID, game: Game) -> None:
    """Hold `game` for readers of this process; the caller lets go of it."""
    _cache.put(game_id, game)


def forget() -> None:
    """Let go of all games and packs held here, for who measures what they cost."""
    _cache.clear()
    _shuffled.cache_clear()


def steps(start: Start, actions: bytes) -> Iterator[Step]:
    """Replay action by action; every step has the number of the decision that it answered."""
    game = start.game()
    numbers, phase = _numbers(game), game.phase
    for seat, action in iter_actions(game, actions):
        more = phase is game.phase and is_sealed(game)
        yield Step(seat, numbers[seat], action, game, more)
        numbers, phase = _numbers(game), game.phase


def told(start: Start, actions: bytes, tags: dict[str, Any] | None = None) -> Record:
    """The game as a record (records.md)."""
    preset, options = named(start.rules)
    played = iter_actions(start.game(), actions)
    return Record(
        preset=preset,
        options=options,
        players=start.players,
        dealer=start.dealer,
        deck=start.deck(),
        deal_seed=start.deal_seed,
        actions=tuple(f"{seat} {action}" for seat, action in played),
        tags=tags,
    )


def is_sealed(game: Game) -> bool:
    """Whether several seats answer unseen now: in the swap, and to a claim."""
    if game.phase is Phase.RESPOND:
        return game.rules.challenge_mode is ChallengeMode.SEALED
    return game.phase is Phase.SWAP


def past(start: Start, actions: bytes, seat: int, move_number: int) -> Past | None:
    """The decision of that number of a seat; None if it was not taken."""
    found: tuple[int, str] | None = None
    for ply, step in enumerate(steps(start, actions), start=1):
        if (step.seat, step.move_number) == (seat, move_number):
            found = ply, step.action
        if found is not None and not step.more:
            return Past(*found, at_ply(start, actions, found[0] - 1), step.game)
    return None


def at_ply(start: Start, actions: bytes, ply: int) -> Game:
    """The game as it stood after `ply` actions, or at its end if it has fewer."""
    game = start.game()
    for _ in zip(range(ply), iter_actions(game, actions), strict=False):
        pass
    return game


def _numbers(game: Game) -> list[int]:
    return [game.move_number(seat) for seat in range(game.players)]


@lru_cache(maxsize=512)
def _shuffled(deal_seed: bytes, packs: int, jokers: int) -> tuple[int, ...]:
    return shuffled_deck(deal_seed, packs, jokers)


class _Cache:
    """The games used last, by (id, ply); safe to share between threads."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._games: OrderedDict[tuple[UUID, int], Game] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, game_id: UUID, ply: int) -> Game | None:
        with self._lock:
            found = self._games.get((game_id, ply))
            if found is not None:
                self._games.move_to_end((game_id, ply))
            return found

    def put(self, game_id: UUID, game: Game) -> None:
        with self._lock:
            self._games[game_id, game.ply] = game
            while len(self._games) > self._size:
                self._games.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._games.clear()


_cache = _Cache(CACHED_GAMES)
