"""Games of people for the proofs: dealt by the services, moved by requests."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from django.db import connection

from games.engine import Game as EngineGame
from games.engine import rules_from
from games.models import Game, Player, Token
from games.queries import replayed
from games.services import lobby, players, tokens
from tests.benchmarks.plain_http import Connection, request

Result = TypeVar("Result")


class Person(NamedTuple):
    """A player and what speaks for him."""

    player: Player
    token: str


class Told(NamedTuple):
    """A server's answer."""

    status: int
    body: bytes

    @property
    def wire(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found


def person(name: str) -> Person:
    """Somebody new."""
    player = players.create(name).player
    return Person(player, tokens.issue(player, [Token.Scope.PLAY, Token.Scope.READ]).text)


def dealt(
    people: Iterable[Person], preset: str, move_ms: int = 60_000, bank_ms: int = 300_000
) -> UUID:
    """A game in play between these, in the order of the seats."""
    seated = [one.player for one in people]
    rules = rules_from(preset, {"max_plies": 100})
    plan = lobby.Plan(rules, [""] * len(seated), move_ms, bank_ms)
    game_id = lobby.create_game(seated[0], plan).game_id
    for player in seated[1:]:
        lobby.join(game_id, player)
    for player in seated:
        lobby.ready(game_id, player)
    return game_id


def row(game_id: UUID) -> Game:
    """The game as it is stored."""
    return Game.objects.select_related("rules", "deck").get(pk=game_id)


def engine_game(game_id: UUID) -> EngineGame:
    """The game as it stands."""
    return replayed(row(game_id))


def move(game_id: UUID, who: Person, number: int, action: str) -> bytes:
    """The request for a move."""
    body = json.dumps({"move_number": number, "action": action}).encode()
    headers = {"Authorization": f"Bearer {who.token}"}
    return request("POST", f"/api/v1/games/{game_id}/moves", headers, body)


def look(game_id: UUID, who: Person) -> bytes:
    """The request for the game."""
    return request("GET", f"/api/v1/games/{game_id}", {"Authorization": f"Bearer {who.token}"})


def ask(connection_: Connection, one: bytes) -> Told:
    """Send a request."""
    answer = connection_.ask(one)
    return Told(answer.status, answer.body)


def at_once(port: int, courses: list[list[bytes]]) -> list[list[Told]]:
    """Send the lists of requests at the same moment, each on a connection of its own."""
    barrier = Barrier(len(courses))

    def run(requests: list[bytes]) -> list[Told]:
        with Connection(port) as own:
            barrier.wait()
            return [ask(own, one) for one in requests]

    with ThreadPoolExecutor(len(courses)) as pool:
        return list(pool.map(run, courses))


def side_by_side(tasks: Iterable[Callable[[], Result]], workers: int) -> list[Result]:
    """Run tasks that use the database, so many at a time; no connection is left."""

    def run(task: Callable[[], Result]) -> Result:
        try:
            return task()
        finally:
            connection.close()

    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(run, tasks))
