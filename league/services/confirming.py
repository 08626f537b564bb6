"""Confirming what was reported: a sheet by another seat, the deal before, nobody objecting.

Works under the competition's lock; what is written stands in typed_rows.py.
"""

from django.db import transaction
from django.db.models import QuerySet

from config.kit import acts, clock, receipts
from league.errors import NotRunningError
from league.formats.saying import Step
from league.models import Competition, DealResult, Table
from league.queries.locks import lock_competition
from league.services.due import Due, each
from league.services.typed_rows import follow, write
from league.services.typed_tables import TAKES, By, Where, require_at_table, table_of

State = DealResult.State


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
        deals = _confirm_others(competition, table, by)
        due = follow(competition, table) if deals else Due()
        target = f"competition:{competition.pk}/{where.round}/{where.table}"
        acts.log(by.actor, "sheet.confirmed", target, deals=deals)
        receipts.keep(receipt, {"deals": len(deals)})
        return len(deals), due


def confirm_earlier(competition: Competition, table: Table, deal: int, by: int) -> None:
    """The next deal, entered from another seat, confirms what was reported before it."""
    earlier = DealResult.objects.filter(table=table, deal__lt=deal, state=State.REPORTED)
    _confirm_each(competition, table, earlier.exclude(entered_by=by))


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
        row.confirms_at = None
        write(competition, row.table, row, Step.CONFIRM)
        return follow(competition, row.table)


def _confirm_others(competition: Competition, table: Table, by: By) -> list[int]:
    rows = DealResult.objects.filter(table=table, state=State.REPORTED)
    if not by.organiser:
        rows = rows.exclude(entered_by=by.player_id)
    return _confirm_each(competition, table, rows)


def _confirm_each(competition: Competition, table: Table, rows: QuerySet[DealResult]) -> list[int]:
    deals = []
    for row in rows.order_by("deal"):
        row.confirms_at = None
        write(competition, table, row, Step.CONFIRM)
        deals.append(row.deal)
    return deals
