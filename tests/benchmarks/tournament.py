"""A tournament of house bots: games a second against the bare engine with the same bots.

One run on a throw-away PostgreSQL: a worker with two processes plays a competition of 20,000 games
(`lowest`, four seats, ledger, tallies, records and all; a small one before it warms up). Its rounds
are opened one by one, and before each of them two bare processes play such games in memory: what
else the machine does hits both alike.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from statistics import median
from typing import Any, Final

from tests.benchmarks import Figure
from tests.benchmarks.serving import database

PROCESSES: Final = 2
BOTS: Final = int(os.environ.get("BOTS", "200"))
DEALS: Final = int(os.environ.get("DEALS", "20"))
ROUNDS: Final = int(os.environ.get("ROUNDS", "20"))
BARE_S: Final = 2.0


def measure() -> list[Figure]:
    """All figures of a tournament; BOTS, DEALS and ROUNDS in the environment choose its size."""
    told = played(ROUNDS)
    bare, rate = median(told["bares"]), median(told["rates"])
    share, shares = median(told["shares"]), sorted(told["shares"])
    return [
        Figure("bare engine with the same bots, two processes", bare, "games/s", "", None),
        Figure("tournament, two worker processes", rate, "games/s", "", None),
        Figure("tournament against bare, median round", share, "x", ">= 0.65", share >= 0.65),
        Figure("the worst round", shares[0], "x", "", None),
        Figure("the best round", shares[-1], "x", "", None),
        Figure("games played", told["games"], "games", "", None),
        Figure("tallies that differ from the ledger", told["wrong"], "", "0", not told["wrong"]),
    ]


def played(rounds: int, interleaved: bool = True) -> dict[str, Any]:
    """Play it: `rates` and `bares` in games a second, `shares` by round, `games`, `bytes` of one.

    The floor of a round is the mean of what was measured before and after it.
    """
    with database() as environment, _side(environment, "tournament", BOTS, DEALS, rounds) as cup:
        rates, bares = [], [_bare(environment)] if interleaved else []
        for _ in range(rounds):
            rates.append(float(_told(cup, "round")["rate"]))
            if interleaved:
                bares.append(_bare(environment))
        end = _told(cup, "end")
    floors = [(before + after) / 2 for before, after in pairwise(bares)]
    shares = [rate / floor for rate, floor in zip(rates, floors, strict=False)]
    return {**end, "rates": rates, "bares": bares, "shares": shares}


def _bare(environment: Mapping[str, str]) -> float:
    """Games a second that as many processes play in memory, all together."""
    with _side(environment, "bare") as one, _side(environment, "bare") as other:
        sides = [one, other]
        for side in sides:
            _ask(side, str(BARE_S))
        return sum(float(_answer(side)["rate"]) for side in sides)


@contextmanager
def _side(environment: Mapping[str, str], *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """A side of the benchmark that is ready to be asked."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.benchmarks.tournament_side", *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    try:
        _answer(process)
        yield process
    finally:
        assert process.stdin is not None
        process.stdin.close()
        process.wait()


def _told(side: subprocess.Popen[str], wish: str) -> dict[str, Any]:
    _ask(side, wish)
    return _answer(side)


def _ask(side: subprocess.Popen[str], wish: str) -> None:
    assert side.stdin is not None
    side.stdin.write(wish + "\n")
    side.stdin.flush()


def _answer(side: subprocess.Popen[str]) -> dict[str, Any]:
    assert side.stdout is not None
    line = side.stdout.readline()
    if not line:
        raise RuntimeError("a side of the benchmark failed")
    answer: dict[str, Any] = json.loads(line)
    return answer
