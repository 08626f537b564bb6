"""Deals that people type in: reported, confirmed, disputed, ruled; all into the ledger.

Everything happens under the competition's lock. `DealResult` holds how each deal stands, the ledger
every version: typed_rows.py writes both. Corrections stand in deal_corrections.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from config.kit import acts, receipts
from league.errors import (
    NoDealError,
    NotRunningError,
    ResultChangedError,
    ResultDecidesError,
)
from league.formats.saying import Saying, Step, step
from league.models import Competition, DealResult, Table
from league.queries.locks import lock_competition
from league.services import notes
from league.services.confirming import confirm_earlier
from league.services.due import Due
from league.services.notes import Prose
from league.services.typed_rows import changed, follow, standing, voided, write
from league.services.typed_tables import (
    By,
    Where,
    sits,
    table_of,
    tables_decide,
    told_at,
    wire,
)

State = DealResult.State


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
    forfeits: Sequence[int] = (),
) -> Entered:
    """Enter how a deal went; the same again changes nothing. `forfeits`: who of the last gave up.

    Raises `NotRunningError`, `TableNotFoundError`, `NoDealError`, `NotAtTableError`,
    `BadResultError`, `SeatLeftOutError`, `BadNoteError`, and `ResultChangedError` where something
    else stands there that the caller has not `seen`.
    """
    with transaction.atomic(durable=True):
        competition = lock_competition(where.competition_id)
        before = repeated(receipt)
        if before is not None:
            return before
        table = table_of(competition, where)
        remark = _remark(competition, by, note)
        told = told_at(competition, table, said, by, forfeits)
        saying = Saying(told, by.player_id, by.organiser, seen, tuple(sorted(forfeits)))
        done = take(competition, table, where.deal, saying, remark)
        due = Due() if done.step is Step.NOTHING else follow(competition, table)
        entered = Entered(done.result, done.step, due)
        log(entered, where, by, receipt)
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
        before = repeated(receipt)
        if before is not None:
            return before
        table = table_of(competition, where)
        remark = {"reason": reason, **_remark(competition, by, note)}
        entered = void_inside(competition, table, where.deal, by, seen, remark)
        if entered.step is not Step.NOTHING:
            log(entered, where, by, receipt)
        return entered


def void_inside(
    competition: Competition,
    table: Table,
    deal: int,
    by: By,
    seen: int,
    remark: Mapping[str, Any],
) -> Entered:
    """`void` for a service that holds the competition's lock."""
    row = DealResult.objects.filter(table=table, deal=deal).first()
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
    write(competition, table, voided(row), Step.VOID, own(table, by.player_id, remark))
    return Entered(row, Step.VOID, follow(competition, table))


def repeated(receipt: receipts.Draft | None) -> Entered | None:
    """What a request that was sent before has entered, None if it is new."""
    outcome = receipts.repeated(receipt)
    if outcome is None:
        return None
    result = DealResult.objects.get(pk=outcome["result"])
    return Entered(result, Step(outcome["step"]), Due())


def take(
    competition: Competition,
    table: Table,
    deal: int,
    says: Saying,
    remark: Mapping[str, Any],
) -> Entered:
    """Write what somebody says of a deal; `follow` comes after it, where it did anything.

    The caller holds the competition's lock. Raises `ResultChangedError`, `NotRunningError`.
    """
    row = DealResult.objects.filter(table=table, deal=deal).first()
    done = step(standing(row), says)
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
    row = changed(row, table, deal, says, done, competition.chosen)
    if done in (Step.RULE, Step.AMEND) and says.rules:
        remark = own(table, says.by, remark)
    write(competition, table, row, done, remark)
    confirm_earlier(competition, table, deal, says.by)
    return Entered(row, done, Due())


def own(table: Table, player_id: int, more: Mapping[str, Any]) -> Mapping[str, Any]:
    """A remark, marked where who rules sits at the table himself."""
    return {**more, "own_table": True} if sits(table, player_id) else more


def log(entered: Entered, where: Where, by: By, receipt: receipts.Draft | None = None) -> None:
    """The act log's line of an entry, and its receipt."""
    done = entered.step.value
    acts.log(by.actor, f"result.{done}", _target(where), version=entered.result.version)
    receipts.keep(receipt, {"result": entered.result.pk, "step": done})


def _remark(competition: Competition, by: By, note: str) -> dict[str, Any]:
    """Only who rules may add prose: players have nothing to say that lasts."""
    return notes.hashed(competition, Prose(note, by.player_id)) if by.organiser else {}


def _target(where: Where) -> str:
    return f"competition:{where.competition_id}/{where.round}/{where.table}/{where.deal}"
