"""Rounds and tables as they are drawn and played, in a number of queries that does not grow."""

from collections.abc import Callable
from typing import NamedTuple

from django.db.models import QuerySet

from games.models import Game, GameRecord, Player
from league.errors import TableNotFoundError
from league.formats.deals import Played, next_deal
from league.models import Competition, Entry, Round, Table, TableSeat
from league.queries import stints
from league.queries import tables as queries
from league.queries.documents import player
from league.queries.wires import DealWire, RoundWire, SeatWire, TableWire

LIVE = (Game.State.READY, Game.State.PLAYING)
WhoPlays = Callable[[Entry, int], Player]


class LiveGame(NamedTuple):
    """The game that is being played at a table."""

    id: str
    ply: int
    stuck: bool


def rounds(competition: Competition, newest: int | None = None) -> list[RoundWire]:
    """The rounds drawn so far, or the `newest` of them, each with its tables. Five queries at
    most."""
    drawn = list(Round.objects.filter(competition=competition).order_by("-number")[:newest])[::-1]
    tables = by_round(Table.objects.filter(round__in=drawn))
    return [
        {
            "number": row.number,
            "state": row.state,
            "draw": row.draw,
            "created_at": row.created_at,
            "closed_at": row.closed_at,
            "tables": tables.get(row.pk, []),
        }
        for row in drawn
    ]


def table(competition: Competition, round_number: int, number: int) -> Table:
    """One table by its numbers. Raises `TableNotFoundError`."""
    found = Table.objects.filter(
        round__competition=competition, round__number=round_number, number=number
    ).first()
    if found is None:
        raise TableNotFoundError("There is no such table.", round=round_number, table=number)
    return found


def table_wire(row: Table) -> TableWire:
    """One table as the bracket shows it."""
    ((wire,),) = by_round(Table.objects.filter(pk=row.pk)).values()
    return wire


def deals(row: Table) -> list[DealWire]:
    """The deals of a table: those that are over or abandoned, then the one in play."""
    (view,) = queries.views(Table.objects.filter(pk=row.pk))
    number_of = {sitter.player_id: number for number, sitter in view.sitters.items()}
    played = queries.played(view)
    records = GameRecord.objects.filter(table_ref=row.pk)
    by_deal = {(record.deal_number, record.redeal): record for record in records}
    off = {(game.deal_number, game.redeal): game for game in queries.called_off(row)}
    found = [
        _deal(by_deal[key], deal, number_of) if key in by_deal else _abandoned(off[key], deal)
        for deal in played
        for key in [(deal.number, deal.redeal)]
    ]
    live = Game.objects.filter(table_ref=row.pk, state__in=LIVE).first()
    plan = next_deal(view.plan, played)
    if live is not None and plan is not None:
        found.append(
            {
                "number": plan.number,
                "redeal": plan.redeal,
                "seats": list(plan.seats),
                "dealer": plan.dealer,
                "state": live.state,
                "ending": None,
                "places": None,
                "counts": False,
                "game": str(live.pk),
            }
        )
    return found


def by_round(rows: QuerySet[Table]) -> dict[int, list[TableWire]]:
    """Tables with seats and live games, by their round."""
    tables = list(rows.select_related("round"))
    at_tables = TableSeat.objects.filter(table__in=tables).select_related("entry__player")
    seats = list(at_tables.order_by("index"))
    sitting: dict[int, list[TableSeat]] = {}
    for seat in seats:
        sitting.setdefault(seat.table_id, []).append(seat)
    plays = stints.who_plays([seat.entry for seat in seats])
    live = _live(tables)
    found: dict[int, list[TableWire]] = {}
    for row in sorted(tables, key=lambda row: (row.round_id, row.number)):
        wire = _table(row, sitting.get(row.pk, []), plays, live.get(row.pk))
        found.setdefault(row.round_id, []).append(wire)
    return found


def _live(tables: list[Table]) -> dict[int, LiveGame]:
    playing = [row.pk for row in tables if row.state == Table.State.PLAYING]
    games = Game.objects.filter(table_ref__in=playing, state__in=LIVE)
    return {
        table_ref: LiveGame(str(pk), ply, bool(reason))
        for table_ref, pk, ply, reason in games.values_list(
            "table_ref", "pk", "ply", "quarantine_reason"
        )
        if table_ref is not None
    }


def _table(row: Table, seats: list[TableSeat], plays: WhoPlays, live: LiveGame | None) -> TableWire:
    order = [number for group in row.places or () for number in group]
    sitting = [
        _seat(seat, plays(seat.entry, row.round.number), order, row.advance) for seat in seats
    ]
    return {
        "round": row.round.number,
        "number": row.number,
        "kind": row.kind,
        "state": row.state,
        "quarantined": bool(row.quarantine_reason) or (live is not None and live.stuck),
        "deals_planned": row.deals_planned,
        "deals_done": row.deals_done,
        "advance": row.advance,
        "seats": sorted(sitting, key=lambda seat: seat["place"] or 0),
        "game": live.id if live else None,
        "ply": live.ply if live else None,
    }


def _seat(seat: TableSeat, who: Player, order: list[int], advance: int) -> SeatWire:
    place = order.index(seat.entry.number) + 1 if order else None
    return {
        "entry": seat.entry.number,
        "player": player(who),
        "place": place,
        "through": None if place is None else place <= advance,
    }


def _abandoned(game: Game, deal: Played) -> DealWire:
    seats = sorted(game.seats.all(), key=lambda seat: seat.index)
    return {
        "number": deal.number,
        "redeal": deal.redeal,
        "seats": [seat.entrant for seat in seats],
        "dealer": game.dealer,
        "state": game.state,
        "ending": deal.ending,
        "places": None,
        "counts": deal.counts,
        "game": str(game.pk),
    }


def _deal(record: GameRecord, deal: Played, number_of: dict[int, int]) -> DealWire:
    return {
        "number": deal.number,
        "redeal": deal.redeal,
        "seats": [number_of[player_id] for player_id in record.players],
        "dealer": record.dealer,
        "state": "over",
        "ending": deal.ending,
        "places": [list(group) for group in deal.places],
        "counts": deal.counts,
        "game": str(record.pk),
    }
