"""R14: live viewers who come and go, and a web process killed under them, miss nothing.

Two web processes serve one socket of ours; halfway one of them is killed, and the other has all
viewers from then on. The server of the other rows is left alone: it must live.
"""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

from django.db import connection

from config.embedded import programs
from config.embedded.address import BACKLOG
from games.engine import History
from games.services import moves
from tests.chaos import Proof
from tests.chaos.crowd import Crowd, Watched
from tests.chaos.people import Person, dealt, engine_game, person

GOAL = "no gap, no duplicate, order kept, p95 < 500 ms; database connections flat"
P95_MS: Final = 500.0
PACE_S: Final = 0.1
PATIENCE_S: Final = 60.0
# Of each web process: four reading threads, and the one that listens.
MOST_CONNECTIONS: Final = 5


@dataclass
class Moved:
    """Games that one thread moves on; `at` says when each ply was about to be stored."""

    games: Sequence[tuple[UUID, list[Person]]]
    at: dict[tuple[UUID, int], float] = field(default_factory=dict)
    connections: list[int] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """The first game every second time, the others in turn."""
        turn = 0
        try:
            while not self.stop.wait(PACE_S):
                which = 0 if turn % 2 else 1 + turn // 2 % (len(self.games) - 1)
                self._move(*self.games[which])
                self.connections.append(_connections())
                turn += 1
        finally:
            connection.close()

    def _move(self, game_id: UUID, people: list[Person]) -> None:
        game = engine_game(game_id)
        if game.ending is not None:
            return
        (seat,) = game.to_act()
        self.at[game_id, game.ply + 1] = time.monotonic()
        number, action = game.move_number(seat), game.default_action(seat)
        moves.act(game_id, people[seat].player.pk, number, action)


def prove(port: int, viewers: int = 500, games: int = 26, seconds: float = 16.0) -> Proof:
    """So many viewers of so many games, for so long; half of them watch the first game."""
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=BACKLOG))
        moved = Moved([_dealt(number) for number in range(games)])
        before = _connections()
        webs = [stack.enter_context(_web(listener)) for _ in range(2)]
        watched = list(_watched(moved, viewers))
        crowd = Crowd(listener.getsockname()[1], watched, life_s=seconds)
        with crowd.watching():
            crowd.all_connected(PATIENCE_S)
            mover = threading.Thread(target=moved.run)
            mover.start()
            time.sleep(seconds / 2)
            webs[0].kill()
            time.sleep(seconds / 2)
            moved.stop.set()
            mover.join()
            last = {game_id: _last(game_id) for game_id, _ in moved.games}
            crowd.all_have(last, PATIENCE_S)
    return _judged(watched, last, moved, before)


def _judged(watched: Sequence[Watched], last: dict[UUID, int], moved: Moved, before: int) -> Proof:
    whole = sum(one.numbers == list(range(last[one.game_id] + 1)) for one in watched)
    late = [took for one in watched for took in _late(one, moved)]
    p95, most = statistics.quantiles(late, n=20)[18], max(moved.connections) - before - 1
    opened = sum(len(one.opened) for one in watched)
    figure = (
        f"{len(watched)} viewers of {len(last)} games, {opened} streams, one of two web processes "
        f"killed: {whole} have every event once and in order; {len(late)} deliveries, p50 "
        f"{statistics.median(late):.0f} ms, p95 {p95:.0f} ms, longest {max(late):.0f} ms; "
        f"at most {most} database connections of both web processes"
    )
    holds = whole == len(watched) and p95 < P95_MS and most <= 2 * MOST_CONNECTIONS
    return Proof(figure, GOAL, holds)


def _late(one: Watched, moved: Moved) -> Iterator[float]:
    """Milliseconds from when a move was made, or its viewer was there again, to its coming."""
    for ply, at in one.got:
        made = moved.at.get((one.game_id, ply))
        if made is not None:
            yield (at - max(made, one.opened_before(at))) * 1000


def _watched(moved: Moved, viewers: int) -> Iterator[Watched]:
    """Every third viewer sits in the game, the others only look."""
    for number in range(viewers):
        which = 0 if number % 2 else 1 + number // 2 % (len(moved.games) - 1)
        game_id, people = moved.games[which]
        yield Watched(game_id, people[0].token if number % 3 == 0 else "")


def _dealt(number: int) -> tuple[UUID, list[Person]]:
    people = [person(f"Seat {seat} of {number}") for seat in range(2)]
    return dealt(people, "classic"), people


@contextmanager
def _web(listener: socket.socket) -> Iterator[subprocess.Popen[bytes]]:
    command = programs.web(_environment(), listener.fileno())
    process = subprocess.Popen(
        command.argv, env=dict(command.env), cwd=command.cwd, pass_fds=command.keep_fds
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _environment() -> dict[str, str]:
    """The environment of this process, on the very database that it uses now."""
    url = urlsplit(os.environ["DATABASE_URL"])
    name = connection.settings_dict["NAME"]
    return {
        **os.environ,
        "DATABASE_URL": url._replace(path=f"/{name}").geturl(),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        # The crowd has one address.
        "RATE_FACTOR": "0",
    }


def _last(game_id: UUID) -> int:
    return len(History(engine_game(game_id), None)) - 1


def _connections() -> int:
    """How many connections our database has, this one too."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        (count,) = cursor.fetchone()
    return int(count)
