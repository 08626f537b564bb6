"""Tables: who sits there, what they are to play, what they have played."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from games.models import Game, GameRecord, Player
from league.formats.deals import Played, TablePlan, over
from league.models import Competition, Entry, Round, Table, TableSeat
from league.queries import decks, stints

# The ending of a deal whose game was called off.
ABANDONED = "abandoned"
UNFINISHED = (Table.State.WAITING, Table.State.PLAYING)


@dataclass(frozen=True)
class Sitter:
    """An entry at a table, and what plays it; `stand_in`: its bot is not asked."""

    number: int
    player_id: int
    agent_ref: str
    stand_in: bool


@dataclass(frozen=True)
class TableView:
    """A table with all that playing it needs; `sitters` by entry number."""

    table: Table
    round: Round
    competition: Competition
    plan: TablePlan
    sitters: dict[int, Sitter]

    def server_seed(self, deal: int, redeal: int) -> bytes:
        """The seed of the deck of one of its deals."""
        return decks.server_seed(
            self.competition, self.round.number, self.table.number, deal, redeal
        )


def unfinished() -> QuerySet[Table]:
    """Tables that are still to play."""
    return Table.objects.filter(state__in=UNFINISHED)


def kind_of(agent_refs: Iterable[str]) -> Table.Kind:
    """Who plays a table with these seats (architecture.md, "Three kinds of table")."""
    refs = list(agent_refs)
    if all(ref.startswith("house:") for ref in refs):
        return Table.Kind.HOUSE
    return Table.Kind.DRIVEN if all(refs) else Table.Kind.EVENTED


def views(tables: QuerySet[Table]) -> list[TableView]:
    """Read tables with their rounds, competitions and seats: two queries for any number."""
    rows = tables.select_related("round__competition__rules").order_by("pk")
    found = list(rows)
    # One object for each competition, so that its settings are parsed once.
    competitions: dict[int, Competition] = {}
    for table in found:
        one = table.round
        one.competition = competitions.setdefault(one.competition_id, one.competition)
    seats: dict[int, list[TableSeat]] = {table.pk: [] for table in found}
    sitting = TableSeat.objects.filter(table__in=found).select_related("entry__player")
    for seat in sitting.order_by("table", "index"):
        seats[seat.table_id].append(seat)
    return [_view(table, seats[table.pk]) for table in found]


def played(view: TableView) -> list[Played]:
    """The deals of a table that are over or were abandoned, in the order they were played."""
    deals = [*_recorded(view), *_abandoned(view)]
    return sorted(deals, key=lambda deal: (deal.number, deal.redeal))


def called_off(table: Table) -> QuerySet[Game]:
    """Games of a table that nobody could end, with their seats."""
    return Game.objects.filter(table_ref=table.pk, state=Game.State.VOID).prefetch_related("seats")


def _abandoned(view: TableView) -> list[Played]:
    """Deals that were called off: nobody has lost them, and as a rule they are dealt anew."""
    return [
        over(
            view.plan,
            (game.deal_number or 0, game.redeal),
            (tuple(sorted(seat.entrant for seat in game.seats.all())),),
            ABANDONED,
        )
        for game in called_off(view.table)
    ]


def _recorded(view: TableView) -> list[Played]:
    number_of = {sitter.player_id: number for number, sitter in view.sitters.items()}
    records = GameRecord.objects.filter(table_ref=view.table.pk)
    return [
        over(
            view.plan,
            (record.deal_number or 0, record.redeal),
            groups([number_of[player] for player in record.players], bytes(record.places)),
            record.ending,
        )
        for record in records
    ]


def groups(numbers: Sequence[int], places: bytes) -> tuple[tuple[int, ...], ...]:
    """Entry numbers in groups from first to last; `places` has one byte for each.

    >>> groups([4, 2, 9], bytes([2, 1, 2]))
    ((2,), (4, 9))
    """
    by_place: dict[int, list[int]] = {}
    for number, place in zip(numbers, places, strict=True):
        by_place.setdefault(place, []).append(number)
    return tuple(tuple(sorted(by_place[place])) for place in sorted(by_place))


def _view(table: Table, seats: Sequence[TableSeat]) -> TableView:
    competition = table.round.competition
    settings = competition.chosen
    entries = [seat.entry for seat in seats]
    players = stints.played_by(entries, table.round.number)
    plan = TablePlan(
        seats=tuple(entry.number for entry in entries),
        ranks=tuple(entry.seed or entry.number for entry in entries),
        deals=table.deals_planned,
        advance=table.advance,
        sudden_deaths=settings.sudden_deaths,
        stalemate=settings.stalemate,
        dealer=settings.dealer,
    )
    sitters = {
        entry.number: _sitter(entry, players[entry.pk], seat)
        for seat, entry in zip(seats, entries, strict=True)
    }
    return TableView(table, table.round, competition, plan, sitters)


def _sitter(entry: Entry, player: Player, seat: TableSeat) -> Sitter:
    return Sitter(entry.number, player.pk, player.agent_ref, seat.stand_in)
