"""What remote bots cost: moves a second against a bare loop, overhead a move, who slows whom.

Everything in one run on this machine: example bots in a process of their own (bot_farm.py), the
service's worker process on a throw-away PostgreSQL (worker.py), and a bare aiohttp loop that asks
the same bots (bare.py). Both sides of a comparison take turns; the median of three rounds counts.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tests.benchmarks import Figure

PORTS: Final = 16
ROUNDS: Final = 3
SECONDS: Final = 4.0
ENV: Final = {"DJANGO_SETTINGS_MODULE": "config.settings", "EGRESS_ALLOW": "loopback"}
FEW, MANY = 64, 500
TENTH: Final = 7
# The slow bot's answers come this long after the question; its deadline is 1000 ms.
WHOLE_DEADLINE: Final = "900"
KINDS: Final = ("0", "50", "200", WHOLE_DEADLINE, "dead")

Answer = dict[str, Any]


class Program:
    """A child that answers a line of JSON with a line of JSON."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, what: object) -> Any:
        """Send it `what`; what it says to that."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        return self.read()

    def read(self) -> Any:
        """What it says unasked."""
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())


@contextmanager
def program(*arguments: str) -> Iterator[Program]:
    """Run a module of this project for the length of the block."""
    process = subprocess.Popen(
        [sys.executable, "-m", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | ENV,
    )
    try:
        yield Program(process)
    finally:
        process.communicate()


class Bench:
    """The three sides, ready to be asked."""

    def __init__(self, farm: Program, worker: Program, folder: Path) -> None:
        self._ports: dict[str, list[int]] = farm.read()
        self._worker = worker
        told = worker.ask(self._ports)
        self._secret: str = told["secret"]
        farm.ask([self._secret])
        self._message = folder / "message.json"
        self._message.write_text(told["message"])

    def bare(self, loops: int, kind: str) -> Answer:
        """The bare loop with so many calls at once."""
        urls = [f"http://127.0.0.1:{port}/move" for port in self._ports[kind]]
        module = [sys.executable, "-m", "tests.benchmarks.bare"]
        given = [str(self._message), self._secret, str(SECONDS), str(loops), *urls]
        told = subprocess.run([*module, *given], stdout=subprocess.PIPE, check=True)
        answer: Answer = json.loads(told.stdout)
        return answer

    def driven(self, at_once: int, kind: str, spare: int = 0, warm_up: float = 4.0) -> Answer:
        """The service with so many games at once; `spare` ones follow those that end."""
        return self._drive({kind: at_once + spare}, kind, at_once, warm_up)

    def beside(self, other: str) -> Answer:
        """64 games of 200 ms bots; in a tenth of them one of the bots is of another kind."""
        games = {other: TENTH, "200": FEW - TENTH} if other else {"200": FEW}
        return self._drive(games, "200", FEW, 5.0)

    def overhead(self) -> Answer:
        """The service's own time a move, one game at a time."""
        answer: Answer = self._worker.ask({"seconds": SECONDS})
        return answer

    def _drive(self, games: dict[str, int], kind: str, at_once: int, warm_up: float) -> Answer:
        wish = {
            "games": games,
            "others": kind,
            "at_once": at_once,
            "warm_up": warm_up,
            "seconds": SECONDS,
        }
        answer: Answer = self._worker.ask(wish)
        return answer


def measure() -> list[Figure]:
    """All figures of remote bots."""
    with (
        tempfile.TemporaryDirectory(prefix="housuliiga-bench-") as folder,
        program("tests.benchmarks.bot_farm", str(PORTS), *KINDS) as farm,
        program("config.embedded.throwaway", "-m", "tests.benchmarks.worker") as worker,
    ):
        bench = Bench(farm, worker, Path(folder))
        return [*_quick(bench), *_many(bench), _overhead(bench), *_neighbours(bench)]


def _quick(bench: Bench) -> Iterator[Figure]:
    bare, driven = _in_turn(
        lambda: bench.bare(FEW, "0"), lambda: bench.driven(FEW, "0", spare=3 * FEW)
    )
    yield _rate(f"bare aiohttp loop, {FEW} calls at once", bare)
    yield _rate(f"driven, {FEW} games at once, each move signed and committed", driven)
    yield _at_least(f"driven against bare, {FEW} games", _ratio(driven, bare), 0.45)
    yield _cost("processor of a bare call", bare)
    yield _cost("processor of a driven move, the worker process", driven)


def _many(bench: Bench) -> Iterator[Figure]:
    bare, driven = _in_turn(
        lambda: bench.bare(MANY, "50"), lambda: bench.driven(MANY, "50", MANY // 2, 8.0)
    )
    yield _rate(f"bare aiohttp loop, 50 ms bots, {MANY} calls at once", bare)
    yield _rate(f"driven, 50 ms bots, {MANY} games in one process", driven)
    yield _at_least(f"driven against bare, {MANY} games", _ratio(driven, bare), 0.45)
    rss_mib = max(one["rss_mib"] for one in driven)
    name = f"memory of the worker process with {MANY} games"
    yield Figure(name, rss_mib, "MiB", "< 300", rss_mib < 300)


def _overhead(bench: Bench) -> Figure:
    ms = statistics.median(bench.overhead()["median_ms"] for _ in range(ROUNDS))
    return Figure("the service's own time a webhook move, 1 game", ms, "ms", "<= 5", ms <= 5)


def _neighbours(bench: Bench) -> Iterator[Figure]:
    alone, dead, slow = _in_turn(
        lambda: bench.beside(""), lambda: bench.beside("dead"), lambda: bench.beside(WHOLE_DEADLINE)
    )
    yield _slowed("games beside 10 % with a dead bot", dead, alone)
    yield _slowed("games beside 10 % with a bot that takes its whole deadline", slow, alone)


def _in_turn(*sides: Callable[[], Answer]) -> list[list[Answer]]:
    """What each side says in each round."""
    rounds = [[side() for side in sides] for _ in range(ROUNDS)]
    return [list(column) for column in zip(*rounds, strict=True)]


def _ratio(ours: list[Answer], theirs: list[Answer]) -> float:
    pairs = zip(ours, theirs, strict=True)
    return float(statistics.median(one["rate"] / other["rate"] for one, other in pairs))


def _rate(name: str, answers: list[Answer]) -> Figure:
    return Figure(name, statistics.median(one["rate"] for one in answers), "moves/s", "", None)


def _cost(name: str, answers: list[Answer]) -> Figure:
    return Figure(name, statistics.median(one["cpu_us"] for one in answers), "us", "", None)


def _at_least(name: str, ratio: float, least: float) -> Figure:
    return Figure(name, ratio, "x", f">= {least:g}", ratio >= least)


def _slowed(name: str, beside: list[Answer], alone: list[Answer]) -> Figure:
    pairs = zip(beside, alone, strict=True)
    slower = statistics.median(one["move_ms"] / other["move_ms"] for one, other in pairs)
    return Figure(name, slower, "x ms a move", "<= 1.05", slower <= 1.05)
