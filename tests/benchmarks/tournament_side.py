"""The sides of `manage.py bench tournament`: bare games, and a competition with its worker.

Each says a JSON line when it is ready, then one for each wish it reads.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import django

django.setup()

from django.db import connection  # noqa: E402

from games.engine import rules_from, shuffled_deck  # noqa: E402
from games.models import GameRecord, Player  # noqa: E402
from games.players import HOUSE, play_out  # noqa: E402
from league.models import Club, Competition, Round, Table  # noqa: E402
from league.services import competitions, entries, tallies  # noqa: E402
from league.services import rounds as round_services  # noqa: E402
from league.services.competitions import NewCompetition  # noqa: E402
from league.services.due import Due  # noqa: E402
from league.tasks import follow_up  # noqa: E402

SEATS = 4
WARM_UP = 2


def bare(seconds: float) -> dict[str, float]:
    """Games a second in this process."""
    rules, agents = rules_from("table"), [HOUSE["lowest"]] * SEATS
    played, began = 0, time.monotonic()
    while time.monotonic() - began < seconds:
        seed = played.to_bytes(32)
        play_out(rules, SEATS, SEATS - 1, shuffled_deck(seed, 1, 0), agents, seed)
        played += 1
    return {"rate": played / (time.monotonic() - began)}


class Tournament:
    """A competition whose rounds are opened by hand and played by a worker of two processes."""

    def __init__(self, bots: int, deals: int, rounds: int) -> None:
        warm = _made(bots, deals, WARM_UP, "Warm-up")
        for number in range(WARM_UP):
            _play(warm, number)
        self.bytes_before, self.before = _bytes(), GameRecord.objects.count()
        self.competition = _made(bots, deals, rounds, "Bench")
        self.rounds = 0

    def round(self) -> dict[str, float]:
        """Games a second from the draw to the last tally of the next round."""
        games, began = GameRecord.objects.count(), time.monotonic()
        _play(self.competition, self.rounds)
        took = time.monotonic() - began
        self.rounds += 1
        return {"rate": (GameRecord.objects.count() - games) / took}

    def end(self) -> dict[str, Any]:
        """What it came to."""
        self.competition.refresh_from_db()
        assert self.competition.state == Competition.State.FINISHED
        games = GameRecord.objects.count() - self.before
        grown = {name: size - self.bytes_before[name] for name, size in _bytes().items()}
        return {
            "games": games,
            "bytes": sum(grown.values()) / games,
            "by_table": {name: size / games for name, size in grown.items() if size > 0},
            "wrong": len(tallies.recompute(self.competition.pk, write=False)),
        }


def _made(bots: int, deals: int, rounds: int, name: str) -> Competition:
    club, _ = Club.objects.get_or_create(slug="bench", name="Bench")
    settings = {"rounds": rounds, "deals_per_table": deals, "seating": "random"}
    new = NewCompetition(
        name=name,
        format="rounds",  # type: ignore[arg-type]
        settings={**settings, "next_round": "by_hand"},
    )
    competition = competitions.create(club.pk, new)
    have = list(Player.objects.filter(kind="house").order_by("pk")[:bots])
    have += Player.objects.bulk_create(
        Player(kind="house", name=f"B{n}", name_key=f"b{n}", agent_ref="house:lowest")
        for n in range(len(have), bots)
    )
    for player in have:
        entries.enter(competition.pk, player.pk)
    return competition


def _play(competition: Competition, played: int) -> None:
    """Open the round after so many, and wait until all of it is stored."""
    opens: Callable[[int], Due] = round_services.open if played else competitions.start
    follow_up(opens(competition.pk))
    closed = Round.objects.filter(competition=competition, state=Round.State.CLOSED)
    while closed.count() <= played:
        stuck = Table.objects.filter(round__competition=competition).exclude(quarantine_reason="")
        assert not stuck.exists()
        time.sleep(0.05)


def _bytes() -> dict[str, int]:
    """Every table of ours with its indexes, after what is dead in them was given up."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute(
            "SELECT c.relname, pg_total_relation_size(c.oid) FROM pg_class c "
            "JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE c.relkind = 'r' AND n.nspname = 'public'"
        )
        return dict(cursor.fetchall())


@contextmanager
def _worker() -> Iterator[None]:
    command = [sys.executable, "-m", "celery", "--quiet", "-A", "config.celery", "worker"]
    command += ["--loglevel", "ERROR", "--concurrency", "2", "-B", "--schedule", "/dev/null"]
    command += ["--scheduler", "celery.beat.Scheduler", "--without-gossip", "--without-mingle"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def _say(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def _main(kind: str, *numbers: str) -> None:
    if kind == "bare":
        _say({})
        for line in sys.stdin:
            _say(bare(float(line)))
        return
    with _worker():
        tournament = Tournament(*map(int, numbers))
        _say({})
        for line in sys.stdin:
            _say(tournament.round() if line.strip() == "round" else tournament.end())


if __name__ == "__main__":
    _main(*sys.argv[1:])
