"""R1: worker, web, beat, PostgreSQL and broker killed at random in a tournament; nothing is lost.

The same tournament is played undisturbed before, and must come out the same.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from tests.chaos import SEED, Proof
from tests.chaos.theatre import (
    Theatre,
    calm,
    cast,
    is_over,
    opened,
    plays_on,
    settled,
    stored,
    theatre,
    wait_for,
)

GOAL = (
    "0 games lost, doubled or orphaned; same; no healthy table quarantined; recovery p95 <= 15 s "
    "worker, <= 10 s database"
)
VICTIMS: Final = ("worker", "database", "web", "beat", "broker")
MOST_S: Final = {"worker": 15.0, "database": 10.0}

# What is not over, by key, with its fencing number; and what of it is being worked on.
_OPEN: Final = """
    SELECT * FROM (
        SELECT 'g' || id AS key, lease_fence, lease_until FROM games_game
            WHERE state IN ('ready', 'playing')
        UNION ALL
        SELECT 't' || id, lease_fence, lease_until FROM league_table
            WHERE state IN ('waiting', 'playing')
    ) AS open
"""
_HELD: Final = f"SELECT key, lease_fence FROM ({_OPEN}) AS o WHERE lease_until > now()"
_LEFT: Final = f"SELECT key, lease_fence FROM ({_OPEN}) AS o WHERE key = ANY(%s)"


@dataclass
class Killing:
    """Kills in a run, and how long each part's absence was felt."""

    made: Theatre
    cup: Mapping[str, Any]
    chance: random.Random
    took: dict[str, list[float]] = field(default_factory=lambda: {one: [] for one in VICTIMS})

    def run(self) -> None:
        """Until the tournament is over; every round of kills has each part once."""
        turn: list[str] = []
        while not is_over(self.made, self.cup):
            self.made.keep_up()
            turn = turn or self.chance.sample(VICTIMS, len(VICTIMS))
            time.sleep(self.chance.uniform(0.5, 3.0))
            if not is_over(self.made, self.cup):
                self.kill(turn.pop())

    def kill(self, name: str) -> None:
        """Kill one, start it again, and wait until what it held up goes on."""
        before = self._held() if name == "worker" else {}
        before_it = stored(self.made)
        at = self.made.kill(name)
        self.made.start(name)
        goes_on: Callable[[], bool]
        if name == "worker":
            goes_on = partial(self._went_on, before)
        elif name == "web":
            goes_on = self.made.parts["web"].answers
        else:
            goes_on = partial(plays_on, self.made, self.cup, before_it)
        wait_for(lambda: self._kept_up(goes_on), 120, f"after the death of {name} nothing goes on")
        self.took[name].append(time.monotonic() - at)

    def _kept_up(self, goes_on: Callable[[], bool]) -> bool:
        self.made.keep_up()
        return goes_on()

    def _held(self) -> dict[str, int]:
        with self.made.database() as connection:
            return dict(connection.execute(_HELD).fetchall())

    def _went_on(self, before: Mapping[str, int]) -> bool:
        """Whether all that was held is over, or was leased again since."""
        with self.made.database() as connection:
            now = connection.execute(_LEFT, [list(before)]).fetchall()
        return all(fence > before[key] for key, fence in now)


def prove(port: int, games: int = 200, most_s: Mapping[str, float] = MOST_S) -> Proof:
    """Play and kill, no part's absence felt for longer than `most_s`; `port` is not asked: what
    dies here is a server of its own."""
    with theatre() as made:
        who = cast(made)
        before = calm(made, who, games)
        killing = Killing(made, opened(made, who, "Killed", games), random.Random(SEED))
        killing.run()
        told = settled(made, killing.cup)
        ended = len(made.ended)
    proof = _judged(told, before, killing.took, most_s)
    return proof._replace(figure=f"{proof.figure}; {ended} ended by themselves, started again")


def _judged(
    told: Mapping[str, Any],
    before: str,
    took: Mapping[str, list[float]],
    most_s: Mapping[str, float],
) -> Proof:
    bad = {name: told[name] for name in ("lost", "doubled", "orphaned", "quarantined", "wrong")}
    same = told["fingerprint"] == before
    p95 = {name: _p95(times) for name, times in took.items() if times}
    felt = ", ".join(f"{len(took[name])} x {name} p95 {s:.1f} s" for name, s in p95.items())
    counted = ", ".join(f"{number} {name}" for name, number in bad.items())
    figure = (
        f"{told['games']} games, {told['driven']} of them driven; killed {felt}; {counted}; "
        f"{'same' if same else 'NOT the same'}"
    )
    fast = all(p95.get(name, 0) <= most for name, most in most_s.items())
    return Proof(figure, GOAL, same and fast and not any(bad.values()))


def _p95(times: list[float]) -> float:
    return max(times) if len(times) < 20 else statistics.quantiles(times, n=20)[18]
