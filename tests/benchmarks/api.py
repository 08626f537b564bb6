"""What a move costs beside a bare view on the same server, and what idle polls and replays cost.

The floor looks a token up, locks one row, rewrites 3 kB of JSON and inserts one row by the ORM.
Both are asked in turn in one run: one connection for the times, eight for the throughput.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.benchmarks import Figure
from tests.benchmarks.plain_http import Connection, request
from tests.benchmarks.serving import Served, serving

SETTINGS = "tests.benchmarks.floor.settings"
CLIENTS = 8
# Twenty rounds of each side one after the other; a game is played by one client.
ROUNDS = 20
ROUND_MOVES = 60
CROWD_ROUNDS = 4
CROWD_MOVES = 50
GAMES = ROUNDS + CLIENTS * CROWD_ROUNDS + 1
WARM = 30


def measure() -> list[Figure]:
    """All figures of the API."""
    with serving(SETTINGS) as served:
        made = served.asked("tests.benchmarks.api_games", str(GAMES), str(CLIENTS))
        return [*_move_figures(served, made), *_small_figures(served, made)]


def _move_figures(served: Served, made: dict[str, Any]) -> Iterator[Figure]:
    ours, floor = _times(served, _moves(made, ROUND_MOVES), _floor(made, ROUND_MOVES))
    yield from _quantiles("move", ours)
    yield from _quantiles("floor", floor)
    ratio = statistics.median(ours) / statistics.median(floor)
    yield Figure("move p50 against the floor", ratio, "x", "<= 1 (0.75)", ratio <= 1)
    fast, slow = _throughput(served, made)
    yield Figure(f"moves, {CLIENTS} clients", fast, "a second", "", None)
    yield Figure(f"floor, {CLIENTS} clients", slow, "a second", "", None)
    more = fast / slow
    name = f"throughput of moves against the floor, {CLIENTS} clients"
    yield Figure(name, more, "x", ">= 1 (1.5)", more >= 1)
    statements = made["statements"]
    name = "SQL statements a move, BEGIN and COMMIT besides, token known"
    yield Figure(name, statements, "", "<= 3", statements <= 3)


def _small_figures(served: Served, made: dict[str, Any]) -> Iterator[Figure]:
    for preset, (plies, ms) in made["replays"].items():
        name = f"load and replay of a finished game, {preset}, {plies} plies"
        yield Figure(name, ms, "ms", "<= 0.5", ms <= 0.5)
    poll, constant = _polls(served, made)
    yield from _quantiles("idle poll with ETag", poll)
    yield from _quantiles("view that answers a constant", constant)
    ratio = statistics.median(poll) / statistics.median(constant)
    yield Figure("idle poll against a constant", ratio, "x", "<= 2", ratio <= 2)


def _quantiles(name: str, times: Sequence[float]) -> Iterator[Figure]:
    yield Figure(f"{name} p50", statistics.median(times), "ms", "", None)
    yield Figure(f"{name} p99", statistics.quantiles(times, n=100)[98], "ms", "", None)


def _times(served: Served, *sides: Iterator[list[bytes]]) -> list[list[float]]:
    """Milliseconds of every request but a side's first, the sides in turn on one connection."""
    found: list[list[float]] = [[] for _ in sides]
    with Connection(served.port) as connection:
        for _ in range(ROUNDS):
            for times, side in zip(found, sides, strict=True):
                times += [_timed(connection, one) for one in next(side)]
    return [times[WARM:] for times in found]


def _timed(connection: Connection, one: bytes) -> float:
    start = time.perf_counter()
    answer = connection.ask(one)
    took = (time.perf_counter() - start) * 1000
    assert answer.status in (200, 304), answer.body
    return took


def _throughput(served: Served, made: dict[str, Any]) -> tuple[float, float]:
    """Requests a second of either side, sent by all clients at once, in turn."""
    moves = _moves({**made, "games": made["games"][ROUNDS:]}, CROWD_MOVES)
    took = [0.0, 0.0]
    for _ in range(CROWD_ROUNDS):
        took[0] += _crowd(served, [next(moves) for _ in range(CLIENTS)])
        floors = [_board_moves(made, board, CROWD_MOVES) for board in made["boards"]]
        took[1] += _crowd(served, floors)
    all_moves = CLIENTS * CROWD_MOVES * CROWD_ROUNDS
    return all_moves / took[0], all_moves / took[1]


def _crowd(served: Served, courses: list[list[bytes]]) -> float:
    """Seconds until all clients are through, each on a connection of its own."""

    def run(requests: list[bytes]) -> None:
        with Connection(served.port) as connection:
            for one in requests:
                _timed(connection, one)

    with ThreadPoolExecutor(len(courses)) as pool:
        start = time.perf_counter()
        list(pool.map(run, courses))
        return time.perf_counter() - start


def _moves(made: dict[str, Any], number: int) -> Iterator[list[bytes]]:
    """The first moves of one game after another."""
    for game in made["games"]:
        yield [
            request(
                "POST",
                f"/api/v1/games/{game['id']}/moves",
                _bearer(made, seat),
                json.dumps({"move_number": turn, "action": action}).encode(),
            )
            for seat, turn, action in game["moves"][:number]
        ]


def _floor(made: dict[str, Any], number: int) -> Iterator[list[bytes]]:
    while True:
        yield _board_moves(made, made["boards"][0], number)


def _board_moves(made: dict[str, Any], board: int, number: int) -> list[bytes]:
    path, headers = f"/api/floor/{board}/moves", _bearer(made, 0)
    return [
        request("POST", path, headers, json.dumps({"move_number": turn, "action": "U"}).encode())
        for turn in range(number)
    ]


def _polls(served: Served, made: dict[str, Any]) -> list[list[float]]:
    path, headers = f"/api/v1/games/{made['games'][-1]['id']}", _bearer(made, 0)
    with Connection(served.port) as connection:
        tag = connection.ask(request("GET", path, headers)).headers[b"etag"].decode()
    poll = request("GET", path, {**headers, "If-None-Match": tag})
    constant = request("GET", "/api/floor/constant", {})
    return _times(served, _same(poll), _same(constant))


def _same(one: bytes) -> Iterator[list[bytes]]:
    while True:
        yield [one] * ROUND_MOVES


def _bearer(made: dict[str, Any], seat: int) -> dict[str, str]:
    return {"Authorization": f"Bearer {made['tokens'][seat]}"}
