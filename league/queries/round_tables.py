"""The typed tables of a round with all of them, in a number of queries that does not grow."""

from dataclasses import dataclass

from league.models import Competition, DealResult, Round, Table
from league.queries import stints
from league.queries.sitting import Sitting


@dataclass(frozen=True)
class RoundTables:
    """A round and its tables as sittings, by number."""

    round: Round
    tables: tuple[Sitting, ...]


def round_tables(competition: Competition, number: int | None = None) -> RoundTables | None:
    """A round by number, or the newest; None if there is none. Five queries at most."""
    rounds = Round.objects.filter(competition=competition).exclude(state=Round.State.VOID)
    if number is not None:
        rounds = rounds.filter(number=number)
    drawn = rounds.select_related("stage").order_by("-number").first()
    if drawn is None:
        return None
    tables = Table.objects.filter(round=drawn, kind=Table.Kind.TYPED).order_by("number")
    rows = list(tables.prefetch_related("seats__entry__player"))
    results: dict[int, list[DealResult]] = {}
    told = DealResult.objects.filter(table__in=rows).select_related("entered_by", "contested_by")
    for row in told.order_by("deal"):
        results.setdefault(row.table_id, []).append(row)
    seated = {
        table.pk: tuple(
            seat.entry
            for seat in sorted(table.seats.all(), key=lambda seat: seat.index)
            if not seat.away
        )
        for table in rows
    }
    entries = [entry for seats in seated.values() for entry in seats]
    playing = stints.played_by(entries, drawn.number)
    for table in rows:
        table.round = drawn
    return RoundTables(
        drawn,
        tuple(
            Sitting(
                competition,
                table,
                seated[table.pk],
                tuple(results.get(table.pk, ())),
                {entry.number: playing[entry.pk] for entry in seated[table.pk]},
            )
            for table in rows
        ),
    )
