"""Run inside a theatre: `python -m tests.chaos.whole SLUG` says what a competition has come to."""

from __future__ import annotations

import json
import sys
from typing import Any

import django

django.setup()

from django.db.models import Count  # noqa: E402

from games.models import Game, GameRecord  # noqa: E402
from league.models import Competition, LedgerRow, Table  # noqa: E402
from league.queries.fingerprint import fingerprint  # noqa: E402
from league.queries.tables import unfinished  # noqa: E402
from league.services import ledger, tallies  # noqa: E402

LIVE = ("forming", "ready", "playing")


def whole(slug: str) -> dict[str, Any]:
    """Counts that are all 0 where nothing was lost, doubled or orphaned; games; the fingerprint."""
    competition = Competition.objects.get(slug=slug)
    records = GameRecord.objects.filter(competition_ref=competition.pk)
    games = Game.objects.filter(competition_ref=competition.pk)
    tables = Table.objects.filter(round__competition=competition)
    results = LedgerRow.objects.filter(competition=competition, kind="result.confirmed")
    by_deal = records.values("table_ref", "deal_number", "redeal").annotate(times=Count("pk"))
    counted = {row["table_ref"]: row["deals"] for row in _deals(records)}
    played = tables.filter(deals_planned__gt=0)
    return {
        "games": records.count(),
        "driven": games.count(),
        "lost": sum(counted.get(table.pk, 0) != table.deals_done for table in played)
        + unfinished().filter(round__competition=competition).count()
        + played.count()
        - results.count(),
        "doubled": by_deal.filter(times__gt=1).count()
        + results.values("table_ref").annotate(times=Count("seq")).filter(times__gt=1).count(),
        "orphaned": games.filter(state__in=LIVE).count()
        + games.filter(settled_at=None).count()
        + records.exclude(table_ref__in=tables.values("pk")).count(),
        "quarantined": tables.exclude(quarantine_reason="").count()
        + games.exclude(quarantine_reason="").count(),
        "wrong": len(tallies.recompute(competition.pk, write=False))
        + (ledger.first_broken(competition) is not None),
        "fingerprint": fingerprint(competition),
    }


def _deals(records: Any) -> Any:
    """How many deals of each table have a record."""
    return records.values("table_ref").annotate(deals=Count("deal_number", distinct=True))


if __name__ == "__main__":
    sys.stdout.write(json.dumps(whole(sys.argv[1])))
