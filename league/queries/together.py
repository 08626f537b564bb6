"""Where two players have met: in which deals, in which competitions."""

from typing import Any

from django.db.models import Q

from league.models import DealResult, Entry, TableSeat

MOST = 20


def competitions(one: int, other: int) -> list[str]:
    """Slugs of the competitions in which both have an entry."""
    mine = Entry.objects.filter(player=one).values("competition")
    both = Entry.objects.filter(player=other, competition__in=mine)
    return list(both.order_by("competition").values_list("competition__slug", flat=True)[:MOST])


def deals(one: int, other: int) -> list[dict[str, Any]]:
    """Tables at which both were seated, and deals of others that tell of both."""
    seats = TableSeat.objects.filter(entry__player=one, table__seats__entry__player=other)
    tables = seats.order_by("table_id").values_list(
        "table__round__competition__slug", "table__round__number", "table__number"
    )
    found = [{"competition": c, "round": r, "table": t, "deal": None} for c, r, t in tables[:MOST]]
    return found or _told(one, other)


def _told(one: int, other: int) -> list[dict[str, Any]]:
    """Who joins from another table has no seat there: the results name him."""
    numbers: dict[int, set[int]] = {}
    for competition, number in Entry.objects.filter(Q(player=one) | Q(player=other)).values_list(
        "competition_id", "number"
    ):
        numbers.setdefault(competition, set()).add(number)
    both = {competition: pair for competition, pair in numbers.items() if len(pair) > 1}
    rows = DealResult.objects.filter(table__round__competition__in=both).select_related(
        "table__round__competition"
    )
    return [
        {
            "competition": row.table.round.competition.slug,
            "round": row.table.round.number,
            "table": row.table.number,
            "deal": row.deal,
        }
        for row in rows
        if both[row.table.round.competition_id] <= {n for group in row.places for n in group}
    ][:MOST]
