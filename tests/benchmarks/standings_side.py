"""Run on a database of its own: two competitions, one with few results and one with many.

Prints one JSON object.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from typing import Any, Final

import django

django.setup()

from django.conf import settings  # noqa: E402 - the settings come first
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402

from games.models import Player  # noqa: E402
from league.models import Club, Competition, PenaltyTally  # noqa: E402
from league.services import competitions, entries, house  # noqa: E402
from league.services.competitions import NewCompetition  # noqa: E402
from league.services.due import Due  # noqa: E402

ENTRIES: Final = 100
TRIES: Final = 60
WARM_UP: Final = 5


def made(club: Club, players: list[Player], name: str, results: int) -> Competition:
    """A competition that was played, and then given so many results more."""
    new = NewCompetition(
        name=name,
        format="rounds",  # type: ignore[arg-type]
        settings={"rounds": 2, "deals_per_table": 1, "seating": "random"},
    )
    competition = competitions.create(club.pk, new)
    for player in players:
        entries.enter(competition.pk, player.pk)
    competitions.start(competition.pk)
    while house.play_slice("bench", 5.0) != Due():
        pass
    competition.refresh_from_db()
    _add(competition, results)
    return competition


def _add(competition: Competition, results: int) -> None:
    """Rows as typed results write them, by COPY; every entry has its share of the losses."""
    seq = competition.ledger_seq
    body = {"round": 1, "table": 1, "deal": 1, "version": 1, "places": [[1], [2], [3], [4]]}
    text, at = json.dumps(body), competition.finished_at
    with (
        connection.cursor() as cursor,
        cursor.copy(
            "COPY league_ledgerrow (competition_id, seq, kind, body, at, hash) FROM STDIN"
        ) as copy,
    ):
        for number in range(1, results + 1):
            copy.write_row((competition.pk, seq + number, "result.confirmed", text, at, b"\0" * 32))
    Competition.objects.filter(pk=competition.pk).update(ledger_seq=seq + results)
    tallies = list(PenaltyTally.objects.filter(competition=competition).order_by("pk"))
    each = results * 4 // len(tallies)
    for number, tally in enumerate(tallies):
        tally.deals += each
        tally.losses += each // 4 + number % 7
        tally.chips += each // 4 + number % 7
    PenaltyTally.objects.bulk_update(tallies, ["deals", "losses", "chips"])


def timed(path: str) -> float:
    """Milliseconds of one request."""
    began = time.perf_counter()
    answer = Client().get(path)
    took = (time.perf_counter() - began) * 1000
    assert answer.status_code == 200, answer.content
    return took


def main(few: int, many: int) -> dict[str, Any]:
    """Everything."""
    settings.ALLOWED_HOSTS = ["*"]
    club = Club.objects.create(slug="bench", name="Bench")
    players = Player.objects.bulk_create(
        Player(kind="house", name=f"B{n}", name_key=f"b{n}", agent_ref="house:random")
        for n in range(ENTRIES)
    )
    cups = [made(club, players, name, n) for name, n in (("Few results", few), ("Many", many))]
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    paths = {
        "standings by API": [f"/api/v1/competitions/{cup.pk}/standings" for cup in cups],
        "page of the competition": [f"/c/{cup.slug}/" for cup in cups],
    }
    return {"p50": {name: _p50(both) for name, both in paths.items()}}


def _p50(paths: list[str]) -> list[float]:
    """Medians of requests that take turns, so that what else happens here hits both."""
    took: list[list[float]] = [[] for _ in paths]
    for attempt in range(WARM_UP + TRIES):
        for times, path in zip(took, paths, strict=True):
            ms = timed(path)
            if attempt >= WARM_UP:
                times.append(ms)
    return [statistics.median(times) for times in took]


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]), int(sys.argv[2]))))  # noqa: T201
