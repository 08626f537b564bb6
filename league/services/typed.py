"""Deals that people type in: reported, confirmed, disputed, ruled; all into the ledger.

Everything happens under the competition's lock. `DealResult` holds how each deal stands, the ledger
every version. What a change means for a round that is closed stands in corrections.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction

from config.kit import acts, clock, receipts
from league.errors import (
    BadResultError,
    NoDealError,
    NotAtTableError,
    NotRunningError,
    ResultChangedError,
    TableNotFoundError,
)
from league.formats.deals import table_order
from league.formats.field import Places
from league.formats.saying import Saying, SayingError, Standing, Step, places_of, step
from league.formats.settings import Settings
from league.models import Competition, DealResult, Entry, Format, LedgerRow, Table
from league.queries.locks import lock_competition
from league.services import corrections, ledger, rounds, tallies
from league.services.due import Due, each

State = DealResult.State
SOURCE = "typed"
_TAKES = (Competition.State.RUNNING, Competition.State.FINISHED)
_MOVES = (Format.ROUNDS, Format.STRIKES)
_EVENT = {
    Step.REPORT: LedgerRow.Kind.RESULT_REPORTED,
    Step.CONFIRM: LedgerRow.Kind.RESULT_CONFIRMED,
    Step.AMEND: LedgerRow.Kind.RESULT_AMENDED,
    Step.DISPUTE: LedgerRow.Kind.RESULT_DISPUTED,
    Step.RULE: LedgerRow.Kind.RESULT_RULED,
}
_STATE = {
    Step.REPORT: State.REPORTED,
    Step.CONFIRM: State.CONFIRMED,
    Step.AMEND: State.CONFIRMED,
    Step.DISPUTE: State.DISPUTED,
    Step.RULE: State.CONFIRMED,
}


@dataclass(frozen=True)
class Where:
    """A deal: which one of which table of which round."""

    competition_id: int
    round: int
    table: int
    deal: int


@dataclass(frozen=True)
class By:
    """Who enters: a player, and whether he runs the club."""

    player_id: int
    organiser: bool

    @property
    def actor(self) -> str:
        """As the act log names him."""
        return f"player:{self.player_id}"


@dataclass(frozen=True)
class Entered:
    """What became of an entry."""

    result: DealResult
    step: Step
    due: Due


def enter(
    where: Where,
    said: Sequence[Sequence[int]],
    by: By,
    seen: int | None = None,
    receipt: receipts.Draft | None = None,
) -> Entered:
    """Enter how a deal went; the same again changes nothing.

    Raises `NotRunningError`, `TableNotFoundError`, `NoDealError`, `NotAtTableError`,
    `BadResultError`, and `ResultChangedError` where something else stands there that the caller has
    not `seen`.
    """
    with transaction.atomic(durable=True):
        competition = lock_competition(where.competition_id)
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            result = DealResult.objects.get(pk=outcome["result"])
            return Entered(result, Step(outcome["step"]), Due())
        table = _table(competition, where)
        places = _places(competition, table, said, by)
        entered = _enter(
            competition, table, where.deal, Saying(places, by.player_id, by.organiser, seen)
        )
        acts.log(
            by.actor, f"result.{entered.step.value}", _target(where), version=entered.result.version
        )
        receipts.keep(receipt, {"result": entered.result.pk, "step": entered.step.value})
        return entered


def confirm_overdue() -> Due:
    """Confirm what was reported a while ago and nobody has objected to."""
    overdue = DealResult.objects.filter(
        state=State.REPORTED,
        confirms_at__lte=clock.now(),
        table__round__competition__state__in=_TAKES,
    )
    return each(_confirm, overdue.order_by("pk").values_list("pk", flat=True)[:100])


def _confirm(result_id: int) -> Due:
    row = DealResult.objects.select_related("table__round").get(pk=result_id)
    with transaction.atomic(durable=True):
        competition = lock_competition(row.table.round.competition_id)
        row.refresh_from_db()
        if row.state != State.REPORTED or competition.state not in _TAKES:
            return Due()
        return _take(competition, row.table, row, Step.CONFIRM)


def _enter(competition: Competition, table: Table, deal: int, says: Saying) -> Entered:
    row = DealResult.objects.filter(table=table, deal=deal).first()
    done = step(_standing(row), says)
    if done is Step.CONFLICT:
        assert row is not None
        raise ResultChangedError(
            "Another result stands there already.",
            version=row.version,
            places=row.places,
            state=row.state,
            yours=_wire(says.places),
        )
    if done is Step.NOTHING:
        assert row is not None
        return Entered(row, done, Due())
    if competition.state == Competition.State.FINISHED and not says.rules:
        raise NotRunningError("It is over: an organiser may still correct.", state="finished")
    row = _changed(row, table, deal, says, done, competition.chosen)
    due = _take(competition, table, row, done)
    return Entered(row, done, due + _confirm_earlier(competition, table, deal, says.by))


def _changed(
    row: DealResult | None,
    table: Table,
    deal: int,
    says: Saying,
    done: Step,
    settings: Settings,
) -> DealResult:
    if row is None:
        row = DealResult(table=table, deal=deal, version=0, places=[])
    if done is Step.DISPUTE:
        row.contested = _wire(says.places)
    elif done is not Step.CONFIRM or row.places != _wire(says.places) or not row.version:
        row.places, row.contested, row.version = _wire(says.places), None, row.version + 1
        row.entered_by_id = says.by
    minutes = timedelta(minutes=settings.auto_confirm_minutes)
    row.confirms_at = clock.now() + minutes if done is Step.REPORT else None
    return row


def _take(competition: Competition, table: Table, row: DealResult, done: Step) -> Due:
    """Store a step and everything that follows from it."""
    row.state = _STATE[done]
    row.save()
    body: dict[str, Any] = {
        "round": table.round.number,
        "table": table.number,
        "deal": row.deal,
        "version": row.version,
        "places": row.places,
        "source": SOURCE,
    }
    if row.contested is not None:
        body["contested"] = row.contested
    ledger.append(competition, [ledger.Fact(_EVENT[done], body, table.pk)])
    tallies.recompute_inside(competition, write=True)
    return settle(competition, table)


def settle(competition: Competition, table: Table) -> Due:
    """A table whose planned deals are all confirmed is done; one that was done is put right."""
    results = list(DealResult.objects.filter(table=table).exclude(state=State.VOID))
    counted = [row for row in results if row.state == State.CONFIRMED and row.places]
    table.deals_done = len(counted)
    complete = len(counted) >= table.deals_planned and len(counted) == len(results)
    was_done = table.state == Table.State.DONE
    if complete or was_done:
        places = table_order([_places_of(row) for row in counted])
        table.places = _wire(places) if places else table.places
    if complete and not was_done:
        table.state, table.done_at = Table.State.DONE, clock.now()
    table.save(update_fields=["deals_done", "places", "state", "done_at"])
    if was_done:
        corrections.reconsider(competition, table.round, redraw=False)
        return Due()
    return rounds.close_inside(competition) if complete else Due()


def _confirm_earlier(competition: Competition, table: Table, deal: int, by: int) -> Due:
    """The next deal, entered from another seat, confirms what was reported before it."""
    earlier = DealResult.objects.filter(table=table, deal__lt=deal, state=State.REPORTED)
    due = Due()
    for row in earlier.exclude(entered_by=by).order_by("deal"):
        row.confirms_at = None
        due += _take(competition, table, row, Step.CONFIRM)
    return due


def _table(competition: Competition, where: Where) -> Table:
    if competition.state not in _TAKES:
        raise NotRunningError("No results are taken now.", state=competition.state)
    tables = Table.objects.select_related("round__stage").filter(
        round__competition=competition, round__number=where.round, number=where.table
    )
    table = tables.first()
    if table is None:
        raise TableNotFoundError("There is no such table.")
    if table.kind != Table.Kind.TYPED or table.state == Table.State.VOID:
        raise NoDealError("Results of this table are not typed in.")
    if not 1 <= where.deal <= table.deals_planned:
        raise NoDealError("The table has no such deal.", deals=table.deals_planned)
    return table


def _places(
    competition: Competition, table: Table, said: Sequence[Sequence[int]], by: By
) -> Places:
    seats = list(table.seats.select_related("entry").order_by("index"))
    if not by.organiser and by.player_id not in {seat.entry.player_id for seat in seats}:
        raise NotAtTableError("Only who sits at the table, or an organiser, enters its results.")
    others: list[int] = []
    # Where tables decide who goes on, only who was drawn there can be told.
    if by.organiser and table.round.stage.format in _MOVES:
        entries = Entry.objects.filter(competition=competition, state=Entry.State.ENTERED)
        others = list(entries.values_list("number", flat=True))
    try:
        return places_of(said, [seat.entry.number for seat in seats], others)
    except SayingError as error:
        raise BadResultError(str(error), field="places") from error


def _standing(row: DealResult | None) -> Standing | None:
    if row is None:
        return None
    return Standing(row.version, row.state, _places_of(row), row.entered_by_id)


def _places_of(row: DealResult) -> Places:
    return tuple(tuple(group) for group in row.places)


def _wire(places: Places) -> list[list[int]]:
    return [list(group) for group in places]


def _target(where: Where) -> str:
    return f"competition:{where.competition_id}/{where.round}/{where.table}/{where.deal}"
