"""Seats between two deals: somebody changes tables, two swap, joins, sits out; who deals next.

Deals that were told keep the seats they had: their places name everybody who played. Works under
the competition's lock.
"""

from collections.abc import Mapping

from django.db import transaction

from config.kit import acts, receipts
from league.errors import BadSeatError, NotEnteredError
from league.formats.dealer import next_active
from league.models import Competition, Entry, LedgerRow, Round, Table, TableSeat
from league.queries import dealers
from league.queries.locks import lock_competition
from league.services import ledger
from league.services.typed_tables import Where

MOST_SEATS = 10


def move(
    competition_id: int,
    entry: int,
    table: int,
    actor: str,
    receipt: receipts.Draft | None = None,
) -> None:
    """Seat an entry at another table of the round, at the end of it; who sits nowhere joins.

    Raises `BadSeatError`, `NotEnteredError`.
    """
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        if receipts.repeated(receipt) is not None:
            return
        drawn, tables = _round(competition)
        goal = _table(tables, table)
        row = _entry(competition, entry)
        seat = TableSeat.objects.filter(round=drawn, entry=row).first()
        if seat is not None and seat.table_id == goal.pk and not seat.away:
            return
        _leave(seat, tables)
        _room(goal)
        _sit(drawn, goal, row)
        _told(competition, drawn, actor, receipt, entry=entry, to=table)


def swap(
    competition_id: int,
    one: int,
    other: int,
    actor: str,
    receipt: receipts.Draft | None = None,
) -> None:
    """Two entries of the round change seats. Raises `BadSeatError`, `NotEnteredError`."""
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        if receipts.repeated(receipt) is not None:
            return
        drawn, tables = _round(competition)
        rows = [_entry(competition, number) for number in (one, other)]
        seats = [TableSeat.objects.filter(round=drawn, entry=row).first() for row in rows]
        first, second = seats
        if first is None or second is None or one == other:
            raise BadSeatError("Both sit in this round, and are two.", why="not_seated")
        for seat in (first, second):
            _leave(seat, tables)
        first.entry, second.entry = second.entry, first.entry
        for seat in (first, second):
            seat.away = False
            seat.save(force_insert=True)
        _told(competition, drawn, actor, receipt, entry=one, swapped=other)


def sit_out(
    competition_id: int,
    entry: int,
    actor: str,
    *,
    away: bool,
    receipt: receipts.Draft | None = None,
) -> None:
    """Keep the seat and not play from the next deal on, or play again. Raises `BadSeatError`."""
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        if receipts.repeated(receipt) is not None:
            return
        drawn, _ = _round(competition)
        seats = TableSeat.objects.filter(round=drawn, entry__number=entry)
        if not seats.update(away=away):
            raise BadSeatError("The player does not sit in this round.", why="not_seated")
        verb = "seat.away" if away else "seat.back"
        acts.log(actor, verb, f"competition:{competition.pk}/{drawn.number}", entry=entry)
        receipts.keep(receipt, {})


def set_dealer(where: Where, entry: int, actor: str, receipt: receipts.Draft | None = None) -> None:
    """The table says who deals its next deal. Raises `BadSeatError`."""
    with transaction.atomic(durable=True):
        competition = lock_competition(where.competition_id)
        if receipts.repeated(receipt) is not None:
            return
        _, tables = _round(competition)
        table = _table(tables, where.table)
        deal = dealers.next_deal(table)
        active = table.seats.filter(entry__number=entry, away=False)
        if deal is None or not active.exists():
            raise BadSeatError("Somebody who plays the next deal there deals it.", why="not_seated")
        _name(table, deal, entry)
        facts = {"round": where.round, "table": table.number, "deal": deal, "dealer": entry}
        ledger.append(competition, [ledger.Fact(LedgerRow.Kind.TABLE_STARTED, facts, table.pk)])
        target = f"competition:{competition.pk}/{where.round}/{table.number}"
        acts.log(actor, "dealer.set", target, entry=entry, deal=deal)
        receipts.keep(receipt, {})


def _round(competition: Competition) -> tuple[Round, Mapping[int, Table]]:
    playing = Round.objects.filter(competition=competition, state=Round.State.PLAYING)
    drawn = playing.select_related("stage").first()
    if drawn is None or competition.state != Competition.State.RUNNING:
        raise BadSeatError("No round is being played.", why="not_playing")
    tables = {table.number: table for table in drawn.tables.order_by("number")}
    for table in tables.values():
        table.round = drawn
    return drawn, tables


def _table(tables: Mapping[int, Table], number: int) -> Table:
    table = tables.get(number)
    if table is None or table.state != Table.State.PLAYING:
        raise BadSeatError("The table is not being played.", why="not_playing")
    if table.kind != Table.Kind.TYPED:
        raise BadSeatError("Online the seats stay: let it be typed in first.", why="online")
    return table


def _entry(competition: Competition, number: int) -> Entry:
    entries = Entry.objects.filter(competition=competition, number=number)
    entry = entries.filter(state=Entry.State.ENTERED).first()
    if entry is None:
        raise NotEnteredError("The player has no entry.")
    return entry


def _leave(seat: TableSeat | None, tables: Mapping[int, Table]) -> None:
    """Give up a seat; if he was to deal next, who sits on his left does."""
    if seat is None:
        return
    table = next(table for table in tables.values() if table.pk == seat.table_id)
    if table.kind != Table.Kind.TYPED:
        raise BadSeatError("Online the seats stay: let it be typed in first.", why="online")
    seats = list(table.seats.select_related("entry").order_by("index"))
    deal = dealers.next_deal(table)
    circle = [one.entry.number for one in seats]
    active = [one.entry.number for one in seats if not one.away and one.pk != seat.pk]
    number = next(one.entry.number for one in seats if one.pk == seat.pk)
    if deal is not None and active and dealers.next_dealer(table) == number:
        _name(table, deal, next_active(number, circle, active))
    seat.delete()


def _sit(drawn: Round, table: Table, entry: Entry) -> None:
    index = max(table.seats.values_list("index", flat=True), default=-1) + 1
    TableSeat.objects.create(round=drawn, table=table, entry=entry, index=index)


def _room(table: Table) -> None:
    if table.seats.filter(away=False).count() >= MOST_SEATS:
        raise BadSeatError(f"A table has {MOST_SEATS} seats at most.", why="full")


def _name(table: Table, deal: int, entry: int) -> None:
    table.dealer, table.dealer_deal = entry, deal
    table.save(update_fields=["dealer", "dealer_deal"])


def _told(
    competition: Competition,
    drawn: Round,
    actor: str,
    receipt: receipts.Draft | None,
    **about: int,
) -> None:
    """The ledger has the seats as they are now."""
    rows = TableSeat.objects.filter(round=drawn).order_by("table__number", "index")
    tables: dict[int, list[int]] = {n: [] for n in drawn.tables.values_list("number", flat=True)}
    for table, entry in rows.values_list("table__number", "entry__number"):
        tables[table].append(entry)
    seats = [tables[number] for number in sorted(tables)]
    body = {"round": drawn.number, "tables": seats, "reason": "by_hand"}
    ledger.append(competition, [ledger.Fact(LedgerRow.Kind.ROUND_REDRAWN, body)])
    acts.log(actor, "seats.moved", f"competition:{competition.pk}/{drawn.number}", **about)
    receipts.keep(receipt, {})
