"""What a change would come to: it is made, looked at and taken back, so it is exactly that."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from league.models import Competition, Round, TableSeat
from league.queries.locks import lock_competition
from league.queries.standings import standings

Seating = dict[tuple[int, int], list[int]]
"""Entry numbers by round and table."""


@dataclass(frozen=True)
class Change:
    """An entry before and after: rank, chips, place, whether it is in."""

    entry: int
    before: Mapping[str, Any]
    after: Mapping[str, Any]


@dataclass(frozen=True)
class Preview:
    """What a change would do to the entries, and to the tables of rounds after its own."""

    changes: list[Change]
    before: Seating
    after: Seating

    @property
    def kept(self) -> Seating:
        """Later tables that stay as they were drawn or played."""
        return {at: seats for at, seats in self.before.items() if at in self.after}

    @property
    def drawn(self) -> Seating:
        """Tables that would be drawn anew."""
        return {at: seats for at, seats in self.after.items() if at not in self.before}


def trial(
    competition_id: int, round_number: int, change: Callable[[Competition], object]
) -> Preview:
    """What `change`, made to a result of this round, would do. Raises what it raises."""
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        before, seated = _shown(competition), _seating(competition, round_number)
        point = transaction.savepoint()
        change(competition)
        after, reseated = _shown(competition), _seating(competition, round_number)
        transaction.savepoint_rollback(point)
    changes = [
        Change(number, before.get(number, {}), row)
        for number, row in after.items()
        if before.get(number) != row
    ]
    return Preview(changes, seated, reseated)


def _seating(competition: Competition, after: int) -> Seating:
    later = Round.objects.filter(competition=competition, number__gt=after)
    seats = TableSeat.objects.filter(round__in=later.exclude(state=Round.State.VOID))
    found: Seating = {}
    rows = seats.order_by("round__number", "table__number", "index")
    for number, table, entry in rows.values_list("round__number", "table__number", "entry__number"):
        found.setdefault((number, table), []).append(entry)
    return found


def _shown(competition: Competition) -> dict[int, dict[str, Any]]:
    return {
        row.entry.number: {
            "rank": row.ranked.rank,
            "chips": row.tally.chips,
            "losses": row.tally.losses,
            "place": row.entry.place,
            "state": row.entry.state,
        }
        for row in standings(competition)
    }
