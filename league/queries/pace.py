"""How fast a competition goes, and when it should be over: by the newest rows of its ledger.

Counted up to the newest result, not up to now, so that a document does not change while nothing
happens.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import F, Func, IntegerField
from django.db.models.functions import Coalesce

from league.models import Competition, LedgerRow

WINDOW = timedelta(minutes=10)
# However many results those minutes have: enough for a rate.
MOST_ROWS = 500


class Pace(NamedTuple):
    """Games a minute; when the last one should end. None where nothing tells."""

    games_a_minute: float | None
    ends_at: datetime | None


def pace(competition: Competition, games_left: int) -> Pace:
    """The pace of a competition that has so many games to play. One query."""
    rows = _newest(competition)
    if not rows or competition.started_at is None:
        return Pace(None, None)
    newest = rows[0][0]
    begins = max(competition.started_at, newest - WINDOW)
    if len(rows) == MOST_ROWS:
        begins = max(begins, rows[-1][0])
    games = sum(played for at, played in rows if at > begins)
    minutes = (newest - begins) / timedelta(minutes=1)
    if minutes <= 0 or not games:
        return Pace(None, None)
    rate = games / minutes
    running = competition.state == Competition.State.RUNNING
    ends_at = newest + timedelta(minutes=games_left / rate) if running else None
    return Pace(round(rate, 1), ends_at)


def _newest(competition: Competition) -> list[tuple[datetime, int]]:
    """When results came, the newest first, and of how many games each tells."""
    results = LedgerRow.objects.filter(
        competition=competition, kind=LedgerRow.Kind.RESULT_CONFIRMED
    )
    deals = Func(F("body__deals"), function="jsonb_array_length", output_field=IntegerField())
    rows = results.order_by("-seq").annotate(games=Coalesce(deals, 1))
    return list(rows.values_list("at", "games")[:MOST_ROWS])
