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

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.benchmarks.floor.settings")
django.setup()

from django.conf import settings  # noqa: E402 - the settings come first
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402

from games.engine import rules_from  # noqa: E402
from games.models import Game, GameRecord, Player, Token  # noqa: E402
from games.queries import played, replays  # noqa: E402
from games.services import lobby, players, tokens  # noqa: E402
from tests.benchmarks.floor.models import Board  # noqa: E402

SEATS = 4
FINISHED = 4
TRIES = 15
BOUND = ("BEGIN", "COMMIT")


def made(games: int, boards: int) -> dict[str, Any]:
    """Everything."""
    people = [players.create(f"Player {number}").player for number in range(SEATS)]
    spoken = [tokens.issue(player, [Token.Scope.PLAY]).text for player in people]
    finished = [_finished(people, spoken) for _ in range(FINISHED)]
    return {
        "tokens": spoken,
        "games": [_game(people) for _ in range(games)],
        "boards": [Board.objects.create(state=_state()).pk for _ in range(boards)],
        "statements": max(count for _, count in finished),
        "replay_ms": _replay_ms([game for game, _ in finished]),
        "plies": statistics.mean(game.ply for game, _ in finished),
    }


def _dealt(people: list[Player]) -> Game:
    plan = lobby.Plan(rules_from("table"), [""] * SEATS)
    game_id = lobby.create_game(people[0], plan).game_id
    for player in people[1:]:
        lobby.join(game_id, player)
    for player in people:
        lobby.ready(game_id, player)
    return Game.objects.select_related("rules", "deck").get(pk=game_id)


def _game(people: list[Player]) -> dict[str, Any]:
    """A game that has been dealt, and the moves that will be sent: [seat, number, action]."""
    row = _dealt(people)
    game, moves = replays.start_of(row).game(), []
    while game.ending is None:
        answers = [
            (seat, game.move_number(seat), game.default_action(seat))
            for seat in game.answer_order()
        ]
        moves += answers
        for seat, _, action in answers:
            game.play(seat, action)
    return {"id": str(row.pk), "moves": moves}


def _finished(people: list[Player], spoken: list[str]) -> tuple[Game, int]:
    """A game played to its end through the views, and the most statements a move took."""
    script, client, most = _game(people), Client(), 0
    for turn, (seat, number, action) in enumerate(script["moves"]):
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
            most = max(most, sum(one.strip() not in BOUND for one in sent))
    return Game.objects.get(pk=script["id"]), most


def _replay_ms(games: list[Game]) -> float:
    """Median over the games of the best of some tries."""
    assert GameRecord.objects.count() >= len(games)

    def once(game: Game) -> float:
        replays.forget()
        start = time.perf_counter()
        assert played.load(game.pk).game is not None
        return (time.perf_counter() - start) * 1000

    return statistics.median(min(once(game) for _ in range(TRIES)) for game in games)


def _state() -> dict[str, Any]:
    """Near 3 kB as JSON."""
    hands = [{"hand": [f"{card:02}" for card in range(60)], "up": [], "down": []}] * 8
    return {"ply": 0, "hands": hands}


if __name__ == "__main__":
    settings.ALLOWED_HOSTS = ["*"]
    print(json.dumps(made(int(sys.argv[1]), int(sys.argv[2]))))  # noqa: T201
