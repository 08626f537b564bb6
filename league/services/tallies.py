"""Keep `PenaltyTally` equal to what the ledger says: apply, eliminate, recompute."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction

from league.formats.folding import Fold, reached, without_chips
from league.formats.tallying import Sums
from league.models import Competition, Entry, LedgerRow, PenaltyTally
from league.queries.locks import lock_competition
from league.queries.standings import sums_of

_SUMS = list(asdict(Sums()))


class Difference(NamedTuple):
    """A stored tally that is not what the ledger says, column by column: (stored, should be)."""

    entry: int
    columns: dict[str, tuple[Any, Any]]


def open_for(entry: Entry) -> None:
    """Start the tally of a new entry, or find the old one of an entry that comes back."""
    PenaltyTally.objects.get_or_create(
        entry=entry, competition_id=entry.competition_id, player_id=entry.player_id
    )


def apply(competition: Competition, added: Mapping[int, Sums]) -> None:
    """Add sums by entry number. The caller holds the competition's lock."""
    tallies = _by_entry(competition, added)
    settings = competition.chosen
    # Each sits at one table a round, so what a tally holds is what it held when the round began.
    out = reached({number: sums_of(tally) for number, tally in tallies.items()}, settings)
    counted = without_chips(added, out, settings)
    for number, tally in tallies.items():
        _set(tally, sums_of(tally) + counted[number])
    PenaltyTally.objects.bulk_update(tallies.values(), _SUMS)


def eliminate(competition: Competition, row: LedgerRow) -> None:
    """Mark the entries of an elimination row. The caller holds the competition's lock."""
    numbers = [number for number, _ in row.body["entries"]]
    PenaltyTally.objects.filter(
        competition=competition, entry__number__in=numbers, eliminated_seq=None
    ).update(eliminated_at=row.at, eliminated_seq=row.seq)


def recompute(competition_id: int, write: bool) -> list[Difference]:
    """Compare every tally with the whole ledger; `write` puts right what differs."""
    with transaction.atomic(durable=True):
        return recompute_inside(lock_competition(competition_id), write)


def recompute_inside(competition: Competition, write: bool) -> list[Difference]:
    """`recompute` for a service that holds the competition's lock."""
    should = _from_ledger(competition)
    tallies = PenaltyTally.objects.filter(competition=competition).select_related("entry")
    found = []
    for tally in tallies.order_by("player_id"):
        columns = {
            name: (getattr(tally, name), value)
            for name, value in should.get(tally.entry.number, _columns(Sums())).items()
            if getattr(tally, name) != value
        }
        if columns:
            found.append(Difference(tally.entry.number, columns))
            for name, (_, value) in columns.items():
                setattr(tally, name, value)
            if write:
                tally.save(update_fields=list(columns))
    return found


def _by_entry(competition: Competition, numbers: Iterable[int]) -> dict[int, PenaltyTally]:
    tallies = PenaltyTally.objects.filter(competition=competition, entry__number__in=list(numbers))
    locked = tallies.select_related("entry").order_by("player_id").select_for_update(of=("self",))
    return {tally.entry.number: tally for tally in locked}


def _set(tally: PenaltyTally, sums: Sums) -> None:
    for name, value in asdict(sums).items():
        setattr(tally, name, value)


def _columns(
    sums: Sums, eliminated_at: datetime | None = None, eliminated_seq: int | None = None
) -> dict[str, Any]:
    return {
        **asdict(sums),
        "eliminated_at": eliminated_at,
        "eliminated_seq": eliminated_seq,
    }


def _from_ledger(competition: Competition) -> dict[int, dict[str, Any]]:
    rows = LedgerRow.objects.filter(competition=competition).order_by("seq")
    fold, when = Fold(competition.chosen), dict[int, datetime]()
    for row in rows.iterator():
        fold.add(row.seq, row.kind, row.body)
        if row.kind == LedgerRow.Kind.ELIMINATION:
            when[row.seq] = row.at
    sums = fold.sums()
    return {
        number: _columns(sums.get(number, Sums()), *_out(fold, when, number))
        for number in sums.keys() | fold.out.keys()
    }


def _out(fold: Fold, when: Mapping[int, datetime], number: int) -> tuple[Any, Any]:
    seq = fold.out.get(number)
    return (None, None) if seq is None else (when[seq], seq)
