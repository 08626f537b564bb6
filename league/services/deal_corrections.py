"""Corrections of single deals, typed in or played: changed, voided, undone, each with a preview.

Deals that were typed in have versions of their own; of a table that was played here the whole is
corrected (corrections.py), with the one deal put in its place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from config.kit import receipts
from league.errors import NoDealError, ResultChangedError
from league.formats.saying import Saying, Step
from league.models import Competition, DealResult, LedgerRow, Table
from league.queries.locks import lock_competition
from league.services import corrections, notes, typed
from league.services.correction_checks import newest, table_at
from league.services.corrections import Correction, Undoing, Voiding
from league.services.due import Due
from league.services.notes import Prose
from league.services.trials import Preview, trial
from league.services.typed import Entered
from league.services.typed_rows import follow
from league.services.typed_tables import By, Where, places_at, table_of

Kind = LedgerRow.Kind


@dataclass(frozen=True)
class Change:
    """What a deal should have been: `places` (none: it was abandoned), with `void` that it counts
    nowhere, or with `undo` what stood before. `reason` is a code, `seen` the version known."""

    where: Where
    reason: str
    seen: int
    places: Sequence[Sequence[int]] = ()
    void: bool = False
    undo: bool = False
    redraw: bool = False
    note: str = ""


def preview(wanted: Change, by: By) -> Preview:
    """What the change would do. Raises what `make` does."""
    where = wanted.where

    def change(competition: Competition) -> None:
        table = table_at(competition, where.round, where.table)
        if table.kind == Table.Kind.TYPED:
            _make(competition, replace(wanted, note=""), by)
        else:
            corrections.inside(competition, _of_table(table, wanted), by.actor)

    return trial(where.competition_id, where.round, change)


def make(wanted: Change, by: By, receipt: receipts.Draft | None = None) -> tuple[int, Due]:
    """Write a new version of the deal; says which. The old one stays readable in the ledger.

    Raises what `typed.enter`, `typed.void` and `corrections.amend` do, and `NoDealError` where
    there is nothing to undo.
    """
    with transaction.atomic(durable=True):
        competition = lock_competition(wanted.where.competition_id)
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return outcome["version"], Due()
        table = table_at(competition, wanted.where.round, wanted.where.table)
        if table.kind == Table.Kind.TYPED:
            entered = _make(competition, wanted, by)
            typed.log(entered, wanted.where, by)
            version, due = entered.result.version, entered.due
        else:
            version, due = corrections.inside(competition, _of_table(table, wanted), by.actor)
        receipts.keep(receipt, {"version": version})
        return version, due


def _make(competition: Competition, wanted: Change, by: By) -> Entered:
    table = table_of(competition, wanted.where)
    prose = Prose(wanted.note, by.player_id)
    remark = {"reason": wanted.reason, **notes.hashed(competition, prose)}
    deal, seen = wanted.where.deal, wanted.seen
    if wanted.undo:
        before = _before(table, deal, seen)
        if before.kind == Kind.RESULT_VOIDED:
            return typed.void_inside(competition, table, deal, by, seen, remark)
        wanted = replace(wanted, places=before.body["places"])
        forfeits = tuple(before.body.get("forfeits", ()))
        return _amend(competition, table, wanted, by, remark, forfeits)
    if wanted.void:
        return typed.void_inside(competition, table, deal, by, seen, remark)
    return _amend(competition, table, wanted, by, remark)


def _amend(
    competition: Competition,
    table: Table,
    wanted: Change,
    by: By,
    remark: Mapping[str, Any],
    forfeits: tuple[int, ...] = (),
) -> Entered:
    places = places_at(competition, table, wanted.places, by)
    says = Saying(places, by.player_id, by.organiser, wanted.seen, forfeits)
    entered = typed.take(competition, table, wanted.where.deal, says, remark)
    if entered.step is Step.NOTHING:
        return entered
    return replace(entered, due=follow(competition, table, redraw=wanted.redraw))


def _before(table: Table, deal: int, seen: int) -> LedgerRow:
    """The row that told the version before the newest one."""
    result = DealResult.objects.filter(table=table, deal=deal).first()
    if result is None:
        raise NoDealError("There is no result of this deal.")
    if result.version != seen:
        raise ResultChangedError(
            "The result has changed since.",
            version=result.version,
            places=result.places,
            state=result.state,
        )
    rows = LedgerRow.objects.filter(table_ref=table.pk, kind__startswith="result.")
    earlier = rows.filter(body__deal=deal, body__version__lt=seen).order_by("-seq").first()
    if earlier is None:
        raise NoDealError("There is nothing to undo.")
    return earlier


def _of_table(table: Table, wanted: Change) -> corrections.Wanted:
    """The same as a change of the whole table."""
    where, seen = wanted.where, wanted.seen
    at = (where.competition_id, where.round, where.table)
    if wanted.undo:
        return Undoing(*at, seen)
    if wanted.void:
        return Voiding(*at, wanted.reason, seen, wanted.note)
    deals = [list(deal) for deal in newest(table, seen).body["deals"]]
    if not 1 <= where.deal <= len(deals):
        raise NoDealError("The table has no such deal.", deals=len(deals))
    deals[where.deal - 1] = [list(group) for group in wanted.places]
    return Correction(*at, deals, wanted.reason, seen, wanted.redraw, wanted.note)
