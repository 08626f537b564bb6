"""Deals that people type in: reported, confirmed, disputed, ruled; all into the ledger.

Everything happens under the competition's lock. `DealResult` holds how each deal stands, the ledger
every version. What a change means for a round that is closed stands in corrections.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Any

from django.db import transaction

from config.kit import acts, clock, receipts
from league.errors import (
    NoDealError,
    NotRunningError,
    ResultChangedError,
    ResultDecidesError,
)
from league.formats.saying import Saying, Standing, Step, step
from league.formats.settings import Settings
from league.models import Competition, DealResult, LedgerRow, Table
from league.queries.locks import lock_competition
from league.services import ledger, notes, tallies
from league.services.due import Due, each
from league.services.notes import Prose
from league.services.typed_tables import (
    TAKES,
    By,
    Where,
    places_at,
    places_in,
    require_at_table,
    settle,
    sits,
    table_of,
    tables_decide,
    wire,
)

State = DealResult.State
SOURCE = "typed"
_EVENT = {
    Step.REPORT: LedgerRow.Kind.RESULT_REPORTED,
    Step.CONFIRM: LedgerRow.Kind.RESULT_CONFIRMED,
    Step.AMEND: LedgerRow.Kind.RESULT_AMENDED,
    Step.DISPUTE: LedgerRow.Kind.RESULT_DISPUTED,
    Step.RULE: LedgerRow.Kind.RESULT_RULED,
    Step.VOID: LedgerRow.Kind.RESULT_VOIDED,
}
_STATE = {
    Step.REPORT: State.REPORTED,
    Step.CONFIRM: State.CONFIRMED,
    Step.AMEND: State.CONFIRMED,
    Step.DISPUTE: State.DISPUTED,
    Step.RULE: State.CONFIRMED,
    Step.VOID: State.VOID,
}


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
    note: str = "",
) -> Entered:
    """Enter how a deal went; the same again changes nothing.

    Raises `NotRunningError`, `TableNotFoundError`, `NoDealError`, `NotAtTableError`,
    `BadResultError`, `SeatLeftOutError`, `BadNoteError`, and `ResultChangedError` where something
    else stands there that the caller has not `seen`.
    """
    with transaction.atomic(durable=True):
        competition = lock_competition(where.competition_id)
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            result = DealResult.objects.get(pk=outcome["result"])
            return Entered(result, Step(outcome["step"]), Due())
        table = table_of(competition, where)
        places = places_at(competition, table, said, by)
        entered = _enter(
            competition,
            table,
            where.deal,
            Saying(places, by.player_id, by.organiser, seen),
            _remark(competition, by, note),
        )
        _log(entered, where, by, receipt)
        return entered


def void(
    where: Where,
    by: By,
    seen: int,
    reason: str,
    note: str = "",
    receipt: receipts.Draft | None = None,
) -> Entered:
    """Let a deal's result count nowhere; it comes back when it is entered again by who has seen
    that. Raises what `enter` does, and `ResultDecidesError` where it has decided who went on."""
    with transaction.atomic(durable=True):
        competition = lock_competition(where.competition_id)
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            result = DealResult.objects.get(pk=outcome["result"])
            return Entered(result, Step(outcome["step"]), Due())
        table = table_of(competition, where)
        row = DealResult.objects.filter(table=table, deal=where.deal).first()
        if row is None:
            raise NoDealError("There is no result of this deal.")
        if row.state == State.VOID:
            return Entered(row, Step.NOTHING, Due())
        if row.version != seen:
            raise ResultChangedError(
                "The result has changed.", version=row.version, places=row.places, state=row.state
            )
        if tables_decide(table) and table.state == Table.State.DONE:
            raise ResultDecidesError("It has decided who goes on.")
        row.version, row.contested, row.confirms_at = row.version + 1, None, None
        remark = {"reason": reason, **_remark(competition, by, note)}
        due = _take(competition, table, row, Step.VOID, _own(table, by.player_id, remark))
        entered = Entered(row, Step.VOID, due)
        _log(entered, where, by, receipt)
        return entered


def confirm_sheet(where: Where, by: By, receipt: receipts.Draft | None = None) -> tuple[int, Due]:
    """Confirm all that others have reported at a table (`where.deal` is no matter); says how many
    deals that were. Raises what `enter` does."""
    with transaction.atomic(durable=True):
        competition = lock_competition(where.competition_id)
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return outcome["deals"], Due()
        table = table_of(competition, where)
        require_at_table(table, by)
        if competition.state == Competition.State.FINISHED and not by.organiser:
            raise NotRunningError("It is over: an organiser may still correct.", state="finished")
        rows = DealResult.objects.filter(table=table, state=State.REPORTED)
        if not by.organiser:
            rows = rows.exclude(entered_by=by.player_id)
        due, deals = Due(), list(rows.order_by("deal"))
        for row in deals:
            row.confirms_at = None
            due += _take(competition, table, row, Step.CONFIRM)
        target = f"competition:{competition.pk}/{where.round}/{where.table}"
        acts.log(by.actor, "sheet.confirmed", target, deals=[row.deal for row in deals])
        receipts.keep(receipt, {"deals": len(deals)})
        return len(deals), due


def _log(entered: Entered, where: Where, by: By, receipt: receipts.Draft | None) -> None:
    done = entered.step.value
    acts.log(by.actor, f"result.{done}", _target(where), version=entered.result.version)
    receipts.keep(receipt, {"result": entered.result.pk, "step": done})


def _remark(competition: Competition, by: By, note: str) -> dict[str, Any]:
    """Only who rules may add prose: players have nothing to say that lasts."""
    return notes.hashed(competition, Prose(note, by.player_id)) if by.organiser else {}


def _own(table: Table, player_id: int, more: dict[str, Any]) -> dict[str, Any]:
    """Marked where who rules sits at the table himself."""
    return {**more, "own_table": True} if sits(table, player_id) else more


def confirm_overdue() -> Due:
    """Confirm what was reported a while ago and nobody has objected to."""
    overdue = DealResult.objects.filter(
        state=State.REPORTED,
        confirms_at__lte=clock.now(),
        table__round__competition__state__in=TAKES,
    )
    return each(_confirm, overdue.order_by("pk").values_list("pk", flat=True)[:100])


def _confirm(result_id: int) -> Due:
    row = DealResult.objects.select_related("table__round").get(pk=result_id)
    with transaction.atomic(durable=True):
        competition = lock_competition(row.table.round.competition_id)
        row.refresh_from_db()
        if row.state != State.REPORTED or competition.state not in TAKES:
            return Due()
        return _take(competition, row.table, row, Step.CONFIRM)


def _enter(
    competition: Competition, table: Table, deal: int, says: Saying, remark: dict[str, Any]
) -> Entered:
    row = DealResult.objects.filter(table=table, deal=deal).first()
    done = step(_standing(row), says)
    if done is Step.CONFLICT:
        assert row is not None
        raise ResultChangedError(
            "Another result stands there already.",
            version=row.version,
            places=row.places,
            state=row.state,
            yours=wire(says.places),
        )
    if done is Step.NOTHING:
        assert row is not None
        return Entered(row, done, Due())
    if competition.state == Competition.State.FINISHED and not says.rules:
        raise NotRunningError("It is over: an organiser may still correct.", state="finished")
    row = _changed(row, table, deal, says, done, competition.chosen)
    if done in (Step.RULE, Step.AMEND) and says.rules:
        remark = _own(table, says.by, remark)
    due = _take(competition, table, row, done, remark)
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
        row.contested = wire(says.places)
    elif done is not Step.CONFIRM or row.places != wire(says.places) or not row.version:
        row.places, row.contested, row.version = wire(says.places), None, row.version + 1
        row.entered_by_id = says.by
    minutes = timedelta(minutes=settings.auto_confirm_minutes)
    row.confirms_at = clock.now() + minutes if done is Step.REPORT else None
    return row


def _take(
    competition: Competition,
    table: Table,
    row: DealResult,
    done: Step,
    remark: Mapping[str, Any] = MappingProxyType({}),
) -> Due:
    """Store a step and everything that follows from it; `remark` is more of the ledger's row."""
    row.state = _STATE[done]
    row.save()
    body: dict[str, Any] = {
        "round": table.round.number,
        "table": table.number,
        "deal": row.deal,
        "version": row.version,
        "places": row.places,
        "source": SOURCE,
        **remark,
    }
    if row.contested is not None:
        body["contested"] = row.contested
    ledger.append(competition, [ledger.Fact(_EVENT[done], body, table.pk)])
    tallies.recompute_inside(competition, write=True)
    return settle(competition, table)


def _confirm_earlier(competition: Competition, table: Table, deal: int, by: int) -> Due:
    """The next deal, entered from another seat, confirms what was reported before it."""
    earlier = DealResult.objects.filter(table=table, deal__lt=deal, state=State.REPORTED)
    due = Due()
    for row in earlier.exclude(entered_by=by).order_by("deal"):
        row.confirms_at = None
        due += _take(competition, table, row, Step.CONFIRM)
    return due


def _standing(row: DealResult | None) -> Standing | None:
    if row is None:
        return None
    return Standing(row.version, row.state, places_in(row), row.entered_by_id)


def _target(where: Where) -> str:
    return f"competition:{where.competition_id}/{where.round}/{where.table}/{where.deal}"
