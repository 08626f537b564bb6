"""What a step writes: the deal as it stands, the ledger's row, and all that follows from both.

Works under the competition's lock; whether a step may be taken was checked before.
"""

from collections.abc import Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Any, Final

from config.kit import clock
from league.formats.saying import Saying, Standing, Step
from league.formats.settings import Settings
from league.models import Competition, DealResult, LedgerRow, Table
from league.services import ledger, tallies
from league.services.due import Due
from league.services.typed_tables import places_in, settle, wire

SOURCE: Final = "typed"
State = DealResult.State
NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
_EVENT: Final = {
    Step.REPORT: LedgerRow.Kind.RESULT_REPORTED,
    Step.CONFIRM: LedgerRow.Kind.RESULT_CONFIRMED,
    Step.AMEND: LedgerRow.Kind.RESULT_AMENDED,
    Step.DISPUTE: LedgerRow.Kind.RESULT_DISPUTED,
    Step.RULE: LedgerRow.Kind.RESULT_RULED,
    Step.VOID: LedgerRow.Kind.RESULT_VOIDED,
}
_STATE: Final = {
    Step.REPORT: State.REPORTED,
    Step.CONFIRM: State.CONFIRMED,
    Step.AMEND: State.CONFIRMED,
    Step.DISPUTE: State.DISPUTED,
    Step.RULE: State.CONFIRMED,
    Step.VOID: State.VOID,
}


def standing(row: DealResult | None) -> Standing | None:
    """A deal as `saying.step` takes it."""
    if row is None:
        return None
    return Standing(row.version, row.state, places_in(row), row.entered_by_id)


def changed(
    row: DealResult | None, table: Table, deal: int, says: Saying, done: Step, settings: Settings
) -> DealResult:
    """The deal after a step, not stored yet."""
    if row is None:
        row = DealResult(table=table, deal=deal, version=0, places=[])
    if done is Step.DISPUTE:
        row.contested, row.contested_by_id = wire(says.places), says.by
    elif done is not Step.CONFIRM or row.places != wire(says.places) or not row.version:
        row.places, row.version, row.forfeits = (
            wire(says.places),
            row.version + 1,
            list(says.forfeits),
        )
        row.contested, row.contested_by_id, row.entered_by_id = None, None, says.by
    minutes = timedelta(minutes=settings.auto_confirm_minutes)
    row.confirms_at = clock.now() + minutes if done is Step.REPORT else None
    return row


def voided(row: DealResult) -> DealResult:
    """The deal when it counts nowhere: its places stay, as another version."""
    row.version, row.confirms_at = row.version + 1, None
    row.contested, row.contested_by_id = None, None
    return row


def write(
    competition: Competition,
    table: Table,
    row: DealResult,
    done: Step,
    remark: Mapping[str, Any] = NOTHING,
) -> None:
    """Store a step; `remark` is more of the ledger's row. `follow` comes after the last one."""
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
    if row.forfeits:
        body["forfeits"] = row.forfeits
    if row.contested is not None:
        body["contested"] = row.contested
    ledger.append(competition, [ledger.Fact(_EVENT[done], body, table.pk)])


def follow(competition: Competition, table: Table, *, redraw: bool = False) -> Due:
    """What follows from what was written at a table: tallies, its end, the round's, later ones."""
    tallies.recompute_inside(competition, write=True)
    return settle(competition, table, redraw=redraw)
