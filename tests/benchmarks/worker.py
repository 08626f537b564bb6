"""The service's side of `manage.py bench bots`: one worker process with its resident driver.

Reads a wish a line and answers with a JSON line. Every wish is a run of its own: games are made,
driven for a while, and called off.
"""

from __future__ import annotations

import json
import logging
import statistics
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch
from uuid import UUID

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db.models import Sum  # noqa: E402

import config.celery  # noqa: E402, F401 - a worker has loaded it
from bots_api.models import Secret  # noqa: E402
from bots_api.protocol.messages import turn_message  # noqa: E402
from config.kit import signing  # noqa: E402
from config.kit.egress.client import Egress  # noqa: E402
from games.driver import play  # noqa: E402
from games.driver.live import Live, LiveSeat  # noqa: E402
from games.driver.resident import Resident, spare_collector  # noqa: E402
from games.engine import Game as EngineGame  # noqa: E402
from games.engine import commitment, rules_from, shuffled_deck  # noqa: E402
from games.models import Game, Player  # noqa: E402
from games.queries import clocks  # noqa: E402
from tests.bots_api import cast  # noqa: E402

SEATS = 4
MOVE_MS = 1000
# A game's first moves are slower: its bots are woken, connections are made.
FIRST_PLIES = 8


@dataclass(frozen=True)
class Wish:
    """`games`: how many by the kind of bot in the first seat, all others being `others`."""

    games: Mapping[str, int]
    others: str
    at_once: int
    warm_up: float
    seconds: float


class Worker:
    """A resident driver, and bots by kind ("0", "50", "dead"), one at each port."""

    def __init__(self, ports: Mapping[str, list[int]]) -> None:
        self.ports = ports
        self.seal = signing.new_seal()
        self.bots: dict[str, list[Player]] = {}
        spare_collector()
        self.resident = Resident()

    def players(self, kind: str) -> list[Player]:
        """The bots of a kind, registered when first wanted; all calls have one secret."""
        if kind not in self.bots:
            owner = cast.owner(f"Owner of {kind}")
            self.bots[kind] = [
                cast.robo(f"http://127.0.0.1:{port}", f"Bot {port}", of=owner).player
                for port in self.ports[kind]
            ]
            Secret.objects.update(sealed=self.seal)
        return self.bots[kind]

    def drive(self, wish: Wish) -> dict[str, float]:
        """Moves a second of all games, ms a move and the share of the processor."""
        games = {kind: self._games(kind, count, wish.others) for kind, count in wish.games.items()}
        ids = [game_id for of_kind in games.values() for game_id in of_kind]
        with self._slice(wish):
            time.sleep(wish.warm_up)
            before, began, cpu = _plies(ids), time.monotonic(), time.process_time()
            time.sleep(wish.seconds)
            moves, took = _plies(ids) - before, time.monotonic() - began
            cpu = time.process_time() - cpu
            rss_mib = _rss_mib()
        return {
            "rate": moves / took,
            "cpu_us": cpu / max(moves, 1) * 1e6,
            "move_ms": _move_ms(games[wish.others]),
            "rss_mib": rss_mib,
        }

    def overhead(self, seconds: float) -> dict[str, float]:
        """The service's own share of a move at one game: a step but for what the bot took."""
        steps: list[float] = []
        with _timed_steps(steps):
            self.drive(Wish({"0": 20}, "0", 1, 1.0, seconds))
        return {"median_ms": statistics.median(steps) * 1000, "moves": len(steps)}

    @contextmanager
    def _slice(self, wish: Wish) -> Iterator[None]:
        """The driver at work; afterwards no game is left for the next wish."""
        arguments = (lambda _: None, wish.warm_up + wish.seconds, wish.at_once)
        thread = threading.Thread(target=self.resident.run_slice, args=arguments)
        thread.start()
        yield
        thread.join()
        Game.objects.filter(state__in=["ready", "playing"]).update(state="void", due_at=None)
        while self.resident._running:
            time.sleep(0.05)

    def _games(self, kind: str, count: int, others: str) -> list[UUID]:
        first, rest = self.players(kind), self.players(others)
        return [
            cast.driven_game(
                first[n % len(first)],
                *(rest[(n + seat) % len(rest)] for seat in range(1, SEATS)),
                move_ms=MOVE_MS,
                max_plies=5000,
            )
            for n in range(count)
        ]


@contextmanager
def _timed_steps(steps: list[float]) -> Iterator[None]:
    """Collect the seconds of each step of one game, but for those that its bot had."""
    step, call = play._step, Egress.call
    calls: list[float] = []

    async def timed_call(*arguments: Any) -> Any:
        result = await call(*arguments)
        calls.append((result.timings.last_byte_ms or 0) / 1000)
        return result

    async def timed_step(*arguments: Any) -> None:
        calls.clear()
        began = time.monotonic()
        await step(*arguments)
        if len(calls) == 1:
            steps.append(time.monotonic() - began - calls[0])

    with patch.object(play, "_step", timed_step), patch.object(Egress, "call", timed_call):
        yield


def _plies(ids: list[UUID]) -> int:
    return int(Game.objects.filter(pk__in=ids).aggregate(plies=Sum("ply"))["plies"])


def _move_ms(ids: list[UUID]) -> float:
    """The median game's time from one commit to the next."""
    rows = Game.objects.filter(pk__in=ids, ply__gt=2 * FIRST_PLIES)
    times = (clocks.unpacked(bytes(at_ms)) for at_ms in rows.values_list("at_ms", flat=True))
    paces = [(at[-1] - at[FIRST_PLIES]) / (len(at) - 1 - FIRST_PLIES) for at in times]
    return statistics.median(paces) if paces else 0.0


def _rss_mib() -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def middle_of_a_game() -> bytes:
    """A message of ordinary length: what a seat is asked after forty plies."""
    rules, seed = rules_from("table"), bytes(32)
    live = Live(
        game_id=UUID(int=1),
        owner="",
        fence=1,
        rules=rules,
        competition="1",
        server_seed=seed,
        head=commitment(seed),
        move_ms=MOVE_MS,
        seats=[LiveSeat(index, "bot:1", 0, 0, False) for index in range(SEATS)],
        game=EngineGame(rules, SEATS, SEATS - 1, shuffled_deck(seed, 1, rules.jokers)),
        elapsed_ms=0,
    )
    for _ in range(40):
        seat = live.game.to_act()[0]
        live.game.play(seat, live.game.default_action(seat))
    return turn_message(live.turn(live.game.to_act()[0]), 5).body


def say(what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def main() -> None:
    logging.disable(logging.INFO)
    call_command("migrate", verbosity=0)
    worker = Worker(json.loads(sys.stdin.readline()))
    say({"message": middle_of_a_game().decode(), "secret": signing.secret_of(worker.seal)})
    for line in sys.stdin:
        wish = json.loads(line)
        if "games" in wish:
            say(worker.drive(Wish(**wish)))
        else:
            say(worker.overhead(wish["seconds"]))
    worker.resident.close()


if __name__ == "__main__":
    main()
