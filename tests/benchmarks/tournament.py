"""A tournament of house bots: games a second against the bare engine; a game on disk.

One run on a throw-away PostgreSQL: a worker with two processes plays a competition of 20,000 games
(`lowest`, four seats, ledger, tallies, records and all), and before and after it two bare processes
play such games in memory with the same bots. 5,000 of the games come first, to warm up.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, Final

from tests.benchmarks import Figure
from tests.benchmarks.serving import database

PROCESSES: Final = 2
BOTS: Final = 200
DEALS: Final = 50
ROUNDS: Final = 8
BARE_S: Final = 5.0


def measure() -> list[Figure]:
    """All figures of a tournament."""
    with database() as environment:
        before = _bare(environment)
        told = _program(environment, "tournament", str(BOTS), str(DEALS), str(ROUNDS))
        after = _bare(environment)
    bare = (before + after) / 2
    share = told["rate"] / bare
    return [
        Figure("bare engine with the same bots, two processes", bare, "games/s", "", None),
        Figure("tournament, two worker processes", told["rate"], "games/s", "", None),
        Figure("tournament against bare engine", share, "x", ">= 0.65", share >= 0.65),
        Figure("games played", told["games"], "games", "", None),
        Figure(
            "a finished game, tables and indexes",
            told["bytes"],
            "bytes",
            "<= 600",
            told["bytes"] <= 600,
        ),
        Figure("tallies that differ from the ledger", told["wrong"], "", "0", not told["wrong"]),
    ]


def _bare(environment: Mapping[str, str]) -> float:
    """Games a second that as many processes play in memory, all together."""
    running = [_started(environment, "bare", str(BARE_S)) for _ in range(PROCESSES)]
    return sum(float(_answer(process)["rate"]) for process in running)


def _program(environment: Mapping[str, str], *arguments: str) -> dict[str, Any]:
    return _answer(_started(environment, *arguments))


def _started(environment: Mapping[str, str], *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.benchmarks.tournament_side", *arguments]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment}
    )


def _answer(process: subprocess.Popen[str]) -> dict[str, Any]:
    out, _ = process.communicate()
    if process.returncode:
        raise RuntimeError("a side of the benchmark failed")
    answer: dict[str, Any] = json.loads(out.splitlines()[-1])
    return answer
