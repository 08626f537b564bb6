"""Corrections of whole tables: a result that stood is changed, is void, or comes back.

`preview` does all of it and takes it back, so it says exactly what `amend` would do. What is
checked stands in correction_checks.py, what follows from a change in consequences.py. Deals that
were typed in are corrected one by one: deal_corrections.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from config.kit import acts, receipts
from league.errors import NoDealError, ResultDecidesError
from league.formats.deals import Played, order
from league.formats.field import Places
from league.formats.registry import FORMATS
from league.models import Competition, LedgerRow, Table
from league.queries.locks import lock_competition
from league.queries.tables import views
from league.services import consequences, ledger, notes, tallies
from league.services.correction_checks import checked, newest, table_at, versions
from league.services.due import Due
from league.services.notes import Prose
from league.services.trials import Change, trial
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
class Undoing:
    """The version before the newest one of a table is to stand again; `seen` as in `Correction`."""

    competition_id: int
    round: int
    table: int
    seen: int


Wanted = Correction | Voiding | Undoing


def preview(correction: Correction) -> list[Change]:
    """What a correction would change. Raises what `amend` does."""

    def change(competition: Competition) -> None:
        inside(competition, correction, "")

    return trial(correction.competition_id, correction.round, change).changes


def amend(
    correction: Correction, actor: str, receipt: receipts.Draft | None = None
) -> tuple[int, Due]:
    """Write a new version of a table's result; the old one stays readable in the ledger.

    Raises `TableNotFoundError`, `NoDealError`, `BadResultError`, `ResultChangedError`,
    `RoundBegunError`.
    """
    return _once(correction, actor, receipt)


def void(wanted: Voiding, actor: str, receipt: receipts.Draft | None = None) -> tuple[int, Due]:
    """Let a table's result count nowhere: no chips, no meeting, no deals. `undo` brings it back.

    Raises what `amend` does, `ResultVoidError`, and `ResultDecidesError` where tables decide who
    goes on.
    """
    return _once(wanted, actor, receipt)


def undo(wanted: Undoing, actor: str, receipt: receipts.Draft | None = None) -> tuple[int, Due]:
    """Write the version before the newest one again, as another version. Raises what `amend`
    does."""
    return _once(wanted, actor, receipt)


def inside(competition: Competition, wanted: Wanted, actor: str) -> tuple[int, Due]:
    """The same for a service that holds the competition's lock."""
    table = table_at(competition, wanted.round, wanted.table)
    last = newest(table, wanted.seen, even_void=isinstance(wanted, Undoing))
    target = _target(competition, table)
    if isinstance(wanted, Correction):
        deals = checked(table, wanted.deals)
        remark = _remark(competition, table, actor, wanted)
        done = _rewrite(competition, table, last, deals, remark, redraw=wanted.redraw)
        acts.log(actor, "result.amended", target, version=done[0], redraw=wanted.redraw)
    elif isinstance(wanted, Voiding):
        if FORMATS[table.round.stage.format].tables_decide:
            raise ResultDecidesError("It has decided who goes on.")
        done = _void(competition, table, last, _remark(competition, table, actor, wanted))
        acts.log(actor, "result.voided", target, version=done[0])
    else:
        done = _undo(competition, table, last, {"reason": "undo", **_own(table, actor)})
        acts.log(actor, "result.undone", target, version=done[0])
    return done


def _once(wanted: Wanted, actor: str, receipt: receipts.Draft | None) -> tuple[int, Due]:
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return outcome["version"], Due()
        competition = lock_competition(wanted.competition_id)
        version, due = inside(competition, wanted, actor)
        receipts.keep(receipt, {"version": version})
        return version, due


def _undo(
    competition: Competition, table: Table, last: LedgerRow, remark: Mapping[str, Any]
) -> tuple[int, Due]:
    rows = versions(table)
    if len(rows) < 2:
        raise NoDealError("There is nothing to undo.")
    if rows[-2].kind == LedgerRow.Kind.RESULT_VOIDED:
        return _void(competition, table, last, remark)
    return _rewrite(competition, table, last, checked(table, rows[-2].body["deals"]), remark)


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


def _order(table: Table, deals: Sequence[Places]) -> list[list[int]]:
    """The order of the table, sudden deaths and seeds as when it was played."""
    (view,) = views(Table.objects.filter(pk=table.pk))
    played = [Played(number, 0, deal, "over") for number, deal in enumerate(deals, start=1)]
    return [[number] for number in order(view.plan, played)]
