"""R10: hostile bots of every kind in driven games: each goes on, none is held, nothing grows."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch
from uuid import UUID

from django.test import override_settings

from bots_api.lines import line
from bots_api.models import Fault
from games.driver.resident import Resident
from games.models import Game, Player
from tests.bots_api.cast import driven_game, house, owner, robo
from tests.chaos import Proof
from tests.hostile import KINDS

GOAL = "game goes on by the published rule; held <= deadline + bank + 0.5 s; memory + < 20 MiB"
MOVE_MS = 400
BANK_MS = 0
GRACE_MS = 500
# After so many faults the stand-in plays: that many answers of each game.
FAULTS_A_GAME = 3
MOST_MIB = 20.0
PATIENCE_S = 1800
# As many games at once before memory is looked at as after it.
AT_ONCE = 128
WARM_UP_ROUNDS = 4


def prove(port: int, answers: int = 2000) -> Proof:
    """About so many answers; `port` is not asked: the service is the caller here."""
    rounds = -(-answers // (FAULTS_A_GAME * len(KINDS)))
    with _hostile_bots() as urls, _driver() as driver:
        bots = {name: _bot(name, url) for name, url in urls.items()}
        _play(driver, bots, WARM_UP_ROUNDS)
        Fault.objects.all().delete()
        before = _rss_mib()
        games = _play(driver, bots, rounds)
        grown = _rss_mib() - before
    return _judged(games, grown)


BOTS = """
import asyncio, django
django.setup()
from tests.hostile import serve_until_input_ends
asyncio.run(serve_until_input_ends())
"""


@contextmanager
def _hostile_bots() -> Iterator[dict[str, str]]:
    """In a process of their own: what they send for ever takes no time of the driver's."""
    process = subprocess.Popen(
        [sys.executable, "-c", BOTS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())
    finally:
        process.communicate()


@contextmanager
def _driver() -> Iterator[Resident]:
    # Who can't even shake hands is waited for, which is on nobody's clock.
    with override_settings(EGRESS_ALLOW=["loopback"]), patch.object(line, "WAKING_S", 0.5):
        driver = Resident()
        yield driver
        driver.close()


def _bot(name: str, url: str) -> Player:
    return robo(url, f"Hostile {name}", of=owner(f"Owner of {name}"), concurrency=64).player


def _play(driver: Resident, bots: Mapping[str, Player], rounds: int) -> dict[UUID, str]:
    """So many games of each kind against a house bot, to their end; their kinds."""
    other = house()
    games = {
        driven_game(bot, other, move_ms=MOVE_MS, bank_ms=BANK_MS): name
        for _ in range(rounds)
        for name, bot in bots.items()
    }
    give_up = time.monotonic() + PATIENCE_S
    while _unfinished(games) and time.monotonic() < give_up:
        driver.run_slice(lambda _: None, 15, AT_ONCE)
    return games


def _unfinished(games: Mapping[UUID, str]) -> bool:
    return Game.objects.filter(pk__in=games).exclude(state=Game.State.OVER).exists()


def _judged(games: Mapping[UUID, str], grown_mib: float) -> Proof:
    faults = list(Fault.objects.filter(game_ref__in=games))
    found = Counter((fault.game_ref, fault.kind) for fault in faults)
    right = {(game, KINDS[name].fault.value): FAULTS_A_GAME for game, name in games.items()}
    wrong = sum(found[key] != right.get(key) for key in {*found, *right})
    held = max((fault.evidence["held_ms"] for fault in faults), default=0)
    over = not _unfinished(games)
    figure = (
        f"{len(faults):,} answers of {len(KINDS)} kinds in {len(games)} games, "
        f"{'all' if over else 'NOT ALL'} over; {wrong} games with other faults than due; "
        f"longest held {held} ms at {MOVE_MS} + {BANK_MS} ms; memory {grown_mib:+.1f} MiB"
    )
    in_time = held <= MOVE_MS + BANK_MS + GRACE_MS
    return Proof(figure, GOAL, over and not wrong and in_time and grown_mib < MOST_MIB)


def _rss_mib() -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))
