"""Corrections of whole tables: a result that stood is changed, is void, or comes back.

`preview` does all of it and takes it back, so it says exactly what `amend` would do. What follows
from a change stands in consequences.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from config.kit import acts, receipts
from league.errors import (
    BadResultError,
    NoDealError,
    ResultChangedError,
    ResultDecidesError,
    ResultVoidError,
    TableNotFoundError,
)
from league.formats.deals import Played, order
from league.formats.field import Places
from league.formats.registry import FORMATS
from league.formats.saying import SayingError, places_of
from league.models import Competition, LedgerRow, Table
from league.queries.locks import lock_competition
from league.queries.standings import standings
from league.queries.tables import views
from league.services import consequences, ledger, notes, tallies
from league.services.due import Due
from league.services.notes import Prose
from league.services.typed_tables import sits


@dataclass(frozen=True)
class Correction:
    """A table's deals as they should have been, `reason` a code. `seen` is the version the caller
    knows."""

    competition_id: int
    round: int
    table: int
    deals: Sequence[Sequence[Sequence[int]]]
    reason: str
    seen: int
    redraw: bool = False
    note: str = ""


@dataclass(frozen=True)
class Voiding:
    """A table's result that is to count nowhere; `reason` a code, `seen` as in `Correction`."""

    competition_id: int
    round: int
    table: int
    reason: str
    seen: int
    note: str = ""


@dataclass(frozen=True)
class Change:
    """An entry before and after: rank, chips, place, whether it is in."""

    entry: int
    before: Mapping[str, Any]
    after: Mapping[str, Any]


def preview(correction: Correction) -> list[Change]:
    """What a correction would change. Raises what `amend` does."""
    with transaction.atomic(durable=True):
        competition = lock_competition(correction.competition_id)
        before = _shown(competition)
        trial = transaction.savepoint()
        _amend(competition, correction, "")
        after = _shown(competition)
        transaction.savepoint_rollback(trial)
    return [
        Change(number, before.get(number, {}), row)
        for number, row in after.items()
        if before.get(number) != row
    ]


def amend(
    correction: Correction, actor: str, receipt: receipts.Draft | None = None
) -> tuple[int, Due]:
    """Write a new version of a table's result; the old one stays readable in the ledger.

    Raises `TableNotFoundError`, `NoDealError`, `BadResultError`, `ResultChangedError`,
    `RoundBegunError`.
    """
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return outcome["version"], Due()
        competition = lock_competition(correction.competition_id)
        version, due = _amend(competition, correction, actor)
        target = f"competition:{competition.pk}/{correction.round}/{correction.table}"
        acts.log(actor, "result.amended", target, version=version, redraw=correction.redraw)
        receipts.keep(receipt, {"version": version})
        return version, due


def void(wanted: Voiding, actor: str, receipt: receipts.Draft | None = None) -> tuple[int, Due]:
    """Let a table's result count nowhere: no chips, no meeting, no deals. `undo` brings it back.

    Raises what `amend` does, `ResultVoidError`, and `ResultDecidesError` where tables decide who
    goes on.
    """
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return outcome["version"], Due()
        competition = lock_competition(wanted.competition_id)
        table = _table(competition, wanted.round, wanted.table)
        last = _newest(table, wanted.seen)
        if FORMATS[table.round.stage.format].tables_decide:
            raise ResultDecidesError("It has decided who goes on.")
        remark = _remark(competition, table, actor, wanted)
        version, due = _void(competition, table, last, remark)
        acts.log(actor, "result.voided", _target(competition, table), version=version)
        receipts.keep(receipt, {"version": version})
        return version, due


def undo(
    competition_id: int, round_number: int, table_number: int, actor: str, seen: int
) -> tuple[int, Due]:
    """Write the version before the newest one again, as another version."""
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        table = _table(competition, round_number, table_number)
        last = _newest(table, seen, even_void=True)
        rows = _versions(table)
        if len(rows) < 2:
            raise NoDealError("There is nothing to undo.")
        remark = {"reason": "undo", **_own(table, actor)}
        if rows[-2].kind == LedgerRow.Kind.RESULT_VOIDED:
            version, due = _void(competition, table, last, remark)
        else:
            deals = _checked(table, rows[-2].body["deals"])
            version, due = _rewrite(competition, table, last, deals, remark)
        acts.log(actor, "result.undone", _target(competition, table), version=version)
        return version, due


def _amend(competition: Competition, correction: Correction, actor: str) -> tuple[int, Due]:
    table = _table(competition, correction.round, correction.table)
    last = _newest(table, correction.seen)
    deals = _checked(table, correction.deals)
    remark = _remark(competition, table, actor, correction)
    return _rewrite(competition, table, last, deals, remark, redraw=correction.redraw)


def _rewrite(
    competition: Competition,
    table: Table,
    last: LedgerRow,
    deals: Sequence[Places],
    remark: Mapping[str, Any],
    *,
    redraw: bool = False,
) -> tuple[int, Due]:
    places = _order(table, deals)
    body = {
        **_lasting(last),
        "version": last.body["version"] + 1,
        "deals": [[list(group) for group in deal] for deal in deals],
        "places": places,
        **remark,
    }
    ledger.append(competition, [ledger.Fact(LedgerRow.Kind.RESULT_AMENDED, body, table.pk)])
    table.places, table.deals_done = places, len(deals)
    return body["version"], _settle(competition, table, Table.State.DONE, redraw=redraw)


def _void(
    competition: Competition, table: Table, last: LedgerRow, remark: Mapping[str, Any]
) -> tuple[int, Due]:
    body = {**_lasting(last), "version": last.body["version"] + 1, **remark}
    ledger.append(competition, [ledger.Fact(LedgerRow.Kind.RESULT_VOIDED, body, table.pk)])
    return body["version"], _settle(competition, table, Table.State.VOID, redraw=False)


def _settle(competition: Competition, table: Table, state: Table.State, *, redraw: bool) -> Due:
    table.state = state
    table.save(update_fields=["places", "deals_done", "state"])
    tallies.recompute_inside(competition, write=True)
    return consequences.reconsider(competition, table.round, redraw=redraw)


def _lasting(row: LedgerRow) -> dict[str, Any]:
    """What of a version holds for the next one too."""
    return {name: row.body[name] for name in ("round", "table", "source") if name in row.body}


def _newest(table: Table, seen: int, *, even_void: bool = False) -> LedgerRow:
    last = _versions(table)[-1]
    if seen != last.body["version"]:
        raise ResultChangedError(
            "The result has changed since.",
            version=last.body["version"],
            deals=last.body.get("deals", []),
        )
    if last.kind == LedgerRow.Kind.RESULT_VOIDED and not even_void:
        raise ResultVoidError("The result is void.", version=seen)
    return last


def _remark(
    competition: Competition, table: Table, actor: str, wanted: Correction | Voiding
) -> dict[str, Any]:
    prose = Prose(wanted.note, _player(actor))
    hashed = notes.hashed(competition, prose)
    return {"reason": wanted.reason, **hashed, **_own(table, actor)}


def _own(table: Table, actor: str) -> dict[str, bool]:
    """Marked where who corrects sat at the table himself."""
    player = _player(actor)
    return {"own_table": True} if player is not None and sits(table, player) else {}


def _player(actor: str) -> int | None:
    kind, _, number = actor.partition(":")
    return int(number) if kind == "player" and number.isdecimal() else None


def _target(competition: Competition, table: Table) -> str:
    return f"competition:{competition.pk}/{table.round.number}/{table.number}"


def _checked(table: Table, deals: Sequence[Sequence[Sequence[int]]]) -> list[Places]:
    sat = list(table.seats.order_by("index").values_list("entry__number", flat=True))
    try:
        checked = [places_of(deal, sat, []) for deal in deals if deal]
    except SayingError as error:
        raise BadResultError(str(error), field="deals") from error
    # Only sudden deaths are played by some of the table.
    for deal in checked[: table.deals_planned]:
        if sum(len(group) for group in deal) != len(sat):
            raise BadResultError("Everybody at the table played this deal.", field="deals")
    return checked


def _order(table: Table, deals: Sequence[Places]) -> list[list[int]]:
    """The order of the table, sudden deaths and seeds as when it was played."""
    (view,) = views(Table.objects.filter(pk=table.pk))
    played = [Played(number, 0, deal, "over") for number, deal in enumerate(deals, start=1)]
    return [[number] for number in order(view.plan, played)]


def _versions(table: Table) -> list[LedgerRow]:
    rows = LedgerRow.objects.filter(table_ref=table.pk, kind__startswith="result.")
    voided = LedgerRow.Kind.RESULT_VOIDED
    found = [
        row
        for row in rows.order_by("seq")
        if "deals" in row.body or (row.kind == voided and "deal" not in row.body)
    ]
    if not found:
        raise NoDealError("The table has no result yet that could be corrected.")
    return found


def _table(competition: Competition, round_number: int, table_number: int) -> Table:
    tables = Table.objects.select_related("round__stage").filter(
        round__competition=competition, round__number=round_number, number=table_number
    )
    table = tables.first()
    if table is None:
        raise TableNotFoundError("There is no such table.")
    return table


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
