"""Run beside a server: make what `bench api` sends moves to, and measure what needs no socket.

Prints one JSON object: games with the moves of everybody in them, boards for the floor, the SQL
statements of a move, the time to load and replay a finished game.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from typing import Any
from uuid import UUID

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.benchmarks.floor.settings")
django.setup()

from django.conf import settings  # noqa: E402 - the settings come first
from django.db import connection, reset_queries  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402

from games.engine import rules_from  # noqa: E402
from games.models import Game, Player, Token  # noqa: E402
from games.queries import finished, replays  # noqa: E402
from games.services import lobby, moves, players, tokens  # noqa: E402
from tests.benchmarks.floor.models import Board  # noqa: E402

SEATS = 4
FINISHED = 5
REPLAYED = 15
TRIES = 60
BOUND = ("BEGIN", "COMMIT")


def made(games: int, boards: int) -> dict[str, Any]:
    """Everything."""
    people = [players.create(f"Player {number}").player for number in range(SEATS)]
    spoken = [tokens.issue(player, [Token.Scope.PLAY]).text for player in people]
    ended = [_finished(people, spoken) for _ in range(FINISHED)]
    return {
        "tokens": spoken,
        "games": [_game(people) for _ in range(games)],
        "boards": [Board.objects.create(state=_state()).pk for _ in range(boards)],
        "statements": statistics.mode(count for _, counts in ended for count in counts),
        "replays": {
            preset: _replay_ms([_played_out(people, preset) for _ in range(REPLAYED)])
            for preset in ("table", "classic")
        },
    }


def _dealt(people: list[Player], preset: str) -> Game:
    plan = lobby.Plan(rules_from(preset), [""] * SEATS)
    game_id = lobby.create_game(people[0], plan).game_id
    for player in people[1:]:
        lobby.join(game_id, player)
    for player in people:
        lobby.ready(game_id, player)
    return Game.objects.select_related("rules", "deck").get(pk=game_id)


def _game(people: list[Player], preset: str = "table") -> dict[str, Any]:
    """A game that has been dealt, and the moves that will be sent: [seat, number, action]."""
    row = _dealt(people, preset)
    game, script = replays.start_of(row).game(), []
    while game.ending is None:
        answers = [
            (seat, game.move_number(seat), game.default_action(seat))
            for seat in game.answer_order()
        ]
        script += answers
        for seat, _, action in answers:
            game.play(seat, action)
    return {"id": str(row.pk), "moves": script}


def _played_out(people: list[Player], preset: str) -> Game:
    """A game played to its end by the services."""
    script = _game(people, preset)
    for seat, number, action in script["moves"]:
        moves.act(UUID(script["id"]), people[seat].pk, number, action)
    return Game.objects.get(pk=script["id"])


def _finished(people: list[Player], spoken: list[str]) -> tuple[Game, list[int]]:
    """A game played to its end through the views, and how many statements each move took."""
    script, client, counts = _game(people), Client(), list[int]()
    for turn, (seat, number, action) in enumerate(script["moves"]):
        reset_queries()
        with CaptureQueriesContext(connection) as caught:
            answer = client.post(
                f"/api/v1/games/{script['id']}/moves",
                data=json.dumps({"move_number": number, "action": action}),
                content_type="application/json",
                headers={"authorization": f"Bearer {spoken[seat]}"},
            )
        assert answer.status_code == 200, answer.content
        # The first moves of a token read it, the last one writes the end of the game.
        if SEATS <= turn < len(script["moves"]) - 1:
            sent = ";".join(one["sql"] for one in caught.captured_queries).split(";")
            counts.append(sum(one.strip() not in BOUND for one in sent))
    return Game.objects.get(pk=script["id"]), counts


def _replay_ms(games: list[Game]) -> tuple[float, float]:
    """Plies and milliseconds of the game of median length; the best of some tries, in each of
    which the process has neither its game nor its pack at hand."""

    def once(game: Game) -> float:
        replays.forget()
        start = time.perf_counter()
        record = finished.recorded(game.pk)
        assert record is not None and record.deck is not None
        row = finished.row_of(record, record.deck)
        replayed = replays.shared(row)
        took = time.perf_counter() - start
        assert [list(group) for group in replayed.places] == game.places == row.places
        assert replayed.ply == row.ply
        return took * 1000

    game = sorted(games, key=lambda game: game.ply)[len(games) // 2]
    return game.ply, min(once(game) for _ in range(TRIES))


def _state() -> dict[str, Any]:
    """Near 3 kB as JSON."""
    hands = [{"hand": [f"{card:02}" for card in range(60)], "up": [], "down": []}] * 8
    return {"ply": 0, "hands": hands}


if __name__ == "__main__":
    settings.ALLOWED_HOSTS = ["*"]
    print(json.dumps(made(int(sys.argv[1]), int(sys.argv[2]))))  # noqa: T201
