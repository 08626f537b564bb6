"""Results and chips from a spreadsheet: tried, with what it would come to, then entered at once.

All of it or nothing, under the competition's lock; the same sheet again changes nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db import transaction

from config.kit import acts, receipts
from config.kit.errors import ServiceError
from league.errors import NotRunningError, SheetOutdatedError, SheetRefusedError
from league.formats.saying import Saying
from league.models import Competition, LedgerRow, PenaltyTally
from league.queries.locks import lock_competition
from league.services import chips, ledger, sheet_plans, tallies, typed
from league.services.due import Due
from league.services.sheet_plans import SOURCE, Given, Plan, Result, Taken, What
from league.services.trials import Change, trial
from league.services.typed_rows import follow
from league.services.typed_tables import TAKES, By, table_of
from league.spreadsheets.cells import Fault
from league.spreadsheets.telling import Sheet


@dataclass(frozen=True)
class Checked:
    """What a sheet would enter, and whose standing changes; tried on the ledger to `ledger_seq`."""

    plan: Plan
    changes: Sequence[Change]
    ledger_seq: int


@dataclass(frozen=True)
class Imported:
    """How many cells were entered, how many stood so already, and whom to wake."""

    changed: int
    same: int
    due: Due


def check(competition_id: int, data: bytes, by: By, taken: Taken = Taken.AUTO) -> Checked:
    """Try a sheet: nothing stays of it. Raises `SheetRefusedError` with its faults by cell, and
    `NotRunningError`."""
    sheet = sheet_plans.read(data)
    tried: list[tuple[Plan, int]] = []

    def change(competition: Competition) -> None:
        planned = _planned(competition, sheet, by, taken)
        tried.append((planned, competition.ledger_seq))
        _write(competition, planned, by)

    preview = trial(competition_id, 0, change)
    ((planned, ledger_seq),) = tried
    return Checked(planned, preview.changes, ledger_seq)


def enter(
    competition_id: int,
    data: bytes,
    by: By,
    seen: int,
    taken: Taken = Taken.AUTO,
    receipt: receipts.Draft | None = None,
) -> Imported:
    """Enter a sheet; `seen` is the `ledger_seq` it was tried on. Raises what `check` does, and
    `SheetOutdatedError` where something was entered since and the sheet would change anything."""
    sheet = sheet_plans.read(data)
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return Imported(outcome["changed"], outcome["same"], Due())
        planned = _planned(competition, sheet, by, taken)
        changed = planned.changes
        same = len(planned.results) + len(planned.chips) - changed
        due = Due()
        if changed:
            if competition.ledger_seq != seen:
                raise SheetOutdatedError(
                    "Something was entered since: look again what the sheet would change.",
                    ledger_seq=competition.ledger_seq,
                )
            due = _write(competition, planned, by)
            digest = hashlib.sha256(data).hexdigest()
            target = f"competition:{competition.pk}"
            acts.log(by.actor, "sheet.imported", target, changed=changed, sha256=digest)
        receipts.keep(receipt, {"changed": changed, "same": same})
        return Imported(changed, same, due)


def _planned(competition: Competition, sheet: Sheet, by: By, taken: Taken) -> Plan:
    if competition.state not in TAKES:
        raise NotRunningError("No results are taken now.", state=competition.state)
    planned = sheet_plans.plan(competition, sheet, by, taken)
    if planned.faults:
        raise sheet_plans.refused(planned.faults)
    return planned


def _write(competition: Competition, planned: Plan, by: By) -> Due:
    _give(competition, [one for one in planned.chips if one.what is not What.SAME])
    due = Due()
    results = [one for one in planned.results if one.what is not What.SAME]
    for _, rows in groupby(sorted(results, key=_at), key=lambda one: _at(one)[:2]):
        due += _enter(competition, list(rows), by)
    return due


def _at(result: Result) -> tuple[int, int, int]:
    return result.where.round, result.where.table, result.where.deal


def _enter(competition: Competition, results: Sequence[Result], by: By) -> Due:
    """The deals of one table."""
    for one in results:
        try:
            table = table_of(competition, one.where)
            says = Saying(one.places, by.player_id, True, one.seen)
            typed.take(competition, table, one.where.deal, says, {"source": SOURCE})
        except ServiceError as error:
            raise _refused(one.cell, error) from error
    return follow(competition, table)


def _refused(cell: str, error: ServiceError) -> SheetRefusedError:
    return sheet_plans.refused([Fault(cell, error.code, error.detail)])


def _give(competition: Competition, given: Sequence[Given]) -> None:
    if not given:
        return
    if competition.state == Competition.State.FINISHED:
        raise NotRunningError("It is over: no chips are given any more.", state="finished")
    round_number = chips.round_of(competition)
    facts = [_fact(one, round_number) for one in given]
    ledger.append(competition, facts)
    tallies.recompute_inside(competition, write=True)
    below = PenaltyTally.objects.filter(competition=competition, chips__lt=0)
    if below.exists():
        raise sheet_plans.refused([Fault(given[0].cell, "bad_chips", "Somebody has not so many.")])


def _fact(one: Given, round_number: int) -> ledger.Fact:
    more = one.chips - one.before
    kind = LedgerRow.Kind.CHIP if more > 0 else LedgerRow.Kind.ADJUSTMENT
    body = {
        "entry": one.entry,
        "chips": more,
        "round": round_number,
        "reason": SOURCE,
        "source": SOURCE,
        "night": one.night,
    }
    return ledger.Fact(kind, body)
