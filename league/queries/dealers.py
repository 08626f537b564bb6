"""Who deals next at a table of people, and which deal that is."""

from league.formats.dealer import ByHand, dealer_of
from league.formats.field import Places
from league.formats.settings import Settings
from league.models import DealResult, Table, TableSeat

State = DealResult.State


def next_deal(table: Table) -> int | None:
    """The first deal that nobody has told of; None when all are told."""
    told = _told(table)
    deals = range(1, table.deals_planned + 1)
    return next((deal for deal in deals if deal not in told), None)


def next_dealer(table: Table) -> int | None:
    """Who deals it, by entry number; None where the table has to say. `round` selected along."""
    seats = list(TableSeat.objects.filter(table=table).select_related("entry").order_by("index"))
    return dealer(table, seats, _told(table), table.round.competition.chosen)


def dealer(
    table: Table,
    seats: list[TableSeat],
    told: dict[int, Places | None],
    settings: Settings,
) -> int | None:
    """The same from rows that were read: seats in order, deals as told (None: in dispute)."""
    deals = range(1, table.deals_planned + 1)
    deal = next((one for one in deals if one not in told), None)
    if deal is None:
        return None
    by_hand = None
    if table.dealer is not None and table.dealer_deal is not None:
        by_hand = ByHand(table.dealer_deal, table.dealer)
    return dealer_of(
        deal,
        [seat.entry.number for seat in seats],
        [seat.entry.number for seat in seats if not seat.away],
        told,
        settings.dealer,
        by_hand,
    )


def told_by(rows: list[DealResult]) -> dict[int, Places | None]:
    """Deals as told; None for one in dispute, nothing for one that was voided."""
    return {
        row.deal: None if row.state == State.DISPUTED else tuple(tuple(g) for g in row.places)
        for row in rows
        if row.state != State.VOID
    }


def _told(table: Table) -> dict[int, Places | None]:
    return told_by(list(DealResult.objects.filter(table=table)))
