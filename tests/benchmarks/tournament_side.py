"""The sides of `manage.py bench tournament`: bare games, and a competition with its worker."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import django

django.setup()

from django.db import connection  # noqa: E402

from games.engine import rules_from, shuffled_deck  # noqa: E402
from games.models import GameRecord, Player  # noqa: E402
from games.players import HOUSE, play_out  # noqa: E402
from league.models import Club, Competition  # noqa: E402
from league.services import competitions, entries, tallies  # noqa: E402
from league.services.competitions import NewCompetition  # noqa: E402
from league.tasks import follow_up  # noqa: E402

SEATS = 4
WARM_UP = 4
_TABLES = ("games_gamerecord", "league_ledgerrow", "league_penaltytally", "games_deck")


def bare(seconds: float) -> dict[str, float]:
    """Games a second in this process."""
    rules, agents = rules_from("table"), [HOUSE["lowest"]] * SEATS
    played, began = 0, time.monotonic()
    while time.monotonic() - began < seconds:
        seed = played.to_bytes(32)
        play_out(rules, SEATS, SEATS - 1, shuffled_deck(seed, 1, 0), agents, seed)
        played += 1
    return {"rate": played / (time.monotonic() - began)}


def tournament(bots: int, deals: int, rounds: int) -> dict[str, float]:
    """Games a second from the start to the last place, by a worker of two processes."""
    with _worker():
        _played(_made(bots, deals, WARM_UP // 2, "Warm-up"))
        bytes_before, records_before = _bytes(), GameRecord.objects.count()
        competition = _made(bots, deals, rounds, "Bench")
        began = time.monotonic()
        _played(competition)
        took = time.monotonic() - began
    games = GameRecord.objects.count() - records_before
    return {
        "rate": games / took,
        "games": games,
        "bytes": (_bytes() - bytes_before) / games,
        "wrong": len(tallies.recompute(competition.pk, write=False)),
    }


def _made(bots: int, deals: int, rounds: int, name: str) -> Competition:
    club, _ = Club.objects.get_or_create(slug="bench", name="Bench")
    new = NewCompetition(
        name=name,
        format="rounds",  # type: ignore[arg-type]
        settings={"rounds": rounds, "deals_per_table": deals, "seating": "random"},
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


def _played(competition: Competition) -> None:
    follow_up(competitions.start(competition.pk))
    while competition.state != Competition.State.FINISHED:
        time.sleep(0.05)
        competition.refresh_from_db()


def _bytes() -> int:
    with connection.cursor() as cursor:
        for table in _TABLES:
            cursor.execute(f"VACUUM {table}")
        cursor.execute(
            "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c "
            "JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE c.relkind = 'r' AND n.nspname = 'public'"
        )
        return int(cursor.fetchone()[0])


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


if __name__ == "__main__":
    kind, *numbers = sys.argv[1:]
    answer = bare(float(numbers[0])) if kind == "bare" else tournament(*map(int, numbers))
    sys.stdout.write(json.dumps(answer) + "\n")
