"""Tables whose deals are typed in: which deal is meant, who can have played it, when it is done.

Works under the competition's lock.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from config.kit import clock
from league.errors import (
    BadResultError,
    NoDealError,
    NotAtTableError,
    NotRunningError,
    SeatLeftOutError,
    TableNotFoundError,
)
from league.formats.deals import table_order
from league.formats.field import Places
from league.formats.registry import FORMATS
from league.formats.saying import LeftOutError, SayingError, places_of
from league.formats.settings import OutAt
from league.models import (
    Competition,
    DealResult,
    Entry,
    LedgerRow,
    PenaltyTally,
    Round,
    Table,
)
from league.queries import stints
from league.queries.tables import unfinished
from league.services import consequences, ledger, rounds
from league.services.due import Due

State = DealResult.State
TAKES = (Competition.State.RUNNING, Competition.State.FINISHED)
FORFEIT = "forfeit"


@dataclass(frozen=True)
class Where:
    """A deal: which one of which table of which round."""

    competition_id: int
    round: int
    table: int
    deal: int


@dataclass(frozen=True)
class By:
    """Who enters: a player, and whether he runs the club."""

    player_id: int
    organiser: bool

    @property
    def actor(self) -> str:
        """As the act log names him."""
        return f"player:{self.player_id}"


def settle(competition: Competition, table: Table, *, redraw: bool = False) -> Due:
    """A table whose planned deals are all confirmed is done; one that was done is put right, and
    where none of its deals counts any more it is void. `redraw`: the next round is drawn anew."""
    results = list(DealResult.objects.filter(table=table).exclude(state=State.VOID))
    counted = [row for row in results if row.state == State.CONFIRMED and row.places]
    table.deals_done = len(counted)
    complete = len(counted) >= table.deals_planned and len(counted) == len(results)
    if competition.chosen.out_at == OutAt.DEAL:
        complete |= _out_leave(competition, table) < 2 and len(counted) == len(results) > 0
    was_done = table.state in (Table.State.DONE, Table.State.VOID)
    if complete or was_done:
        places = table_order([places_in(row) for row in counted])
        table.places = wire(places) if places else table.places
    if was_done and not tables_decide(table):
        table.state = Table.State.DONE if counted else Table.State.VOID
    if complete and not was_done:
        table.state, table.done_at = Table.State.DONE, clock.now()
    table.save(update_fields=["deals_done", "places", "state", "done_at"])
    if was_done:
        return consequences.reconsider(competition, table.round, redraw=redraw)
    return rounds.close_inside(competition) if complete else Due()


def _out_leave(competition: Competition, table: Table) -> int:
    """Who is out after a deal plays no other one: says how many are left at the table."""
    out = PenaltyTally.objects.filter(
        competition=competition, chips__gte=competition.chosen.limit
    ).values("entry")
    table.seats.filter(entry__in=out).update(away=True)
    return table.seats.filter(away=False).count()


def close_short(competition: Competition, dropped: Entry) -> Due:
    """Close the table of who has dropped if fewer than two are left there: nobody could play it.
    Who stays is ahead of who has gone."""
    tables = unfinished().filter(round__competition=competition, kind=Table.Kind.TYPED)
    table = tables.filter(seats__entry=dropped).select_related("round__stage").first()
    if table is None:
        return Due()
    seats = [seat.entry for seat in table.seats.select_related("entry").order_by("index")]
    stay = [entry.number for entry in seats if entry.state != Entry.State.DROPPED]
    if len(stay) > 1:
        return Due()
    gone = sorted(entry.number for entry in seats if entry.number not in stay)
    table.places = [group for group in (stay, gone) if group]
    table.state, table.done_at = Table.State.DONE, clock.now()
    table.save(update_fields=["places", "state", "done_at"])
    where = {"round": table.round.number, "table": table.number, "version": 1}
    fact = {**where, "places": table.places, "source": FORFEIT}
    ledger.append(competition, [ledger.Fact(LedgerRow.Kind.RESULT_CONFIRMED, fact, table.pk)])
    return rounds.close_inside(competition)


def tables_decide(table: Table) -> bool:
    """Whether who goes on depends on this table's places."""
    return FORMATS[table.round.stage.format].tables_decide


def table_of(competition: Competition, where: Where) -> Table:
    """The table of a deal. Raises `NotRunningError`, `TableNotFoundError`, `NoDealError`."""
    if competition.state not in TAKES:
        raise NotRunningError("No results are taken now.", state=competition.state)
    tables = Table.objects.select_related("round__stage").filter(
        round__competition=competition, round__number=where.round, number=where.table
    )
    table = tables.first()
    if table is None:
        raise TableNotFoundError("There is no such table.")
    if table.kind != Table.Kind.TYPED or table.round.state == Round.State.VOID:
        raise NoDealError("Results of this table are not typed in.")
    if not 1 <= where.deal <= table.deals_planned:
        raise NoDealError("The table has no such deal.", deals=table.deals_planned)
    return table


def sits(table: Table, player_id: int) -> bool:
    """Whether the player has a seat there, or plays or has played for who has."""
    return table.seats.filter(stints.of(player_id, "entry__")).exists()


def require_at_table(table: Table, by: By) -> None:
    """Raise `NotAtTableError` for who neither sits there nor runs the club."""
    if not by.organiser and not sits(table, by.player_id):
        raise NotAtTableError("Only who sits at the table, or an organiser, enters its results.")


def places_at(
    competition: Competition, table: Table, said: Sequence[Sequence[int]], by: By
) -> Places:
    """What was said, checked. Raises `NotAtTableError`, `BadResultError`, `SeatLeftOutError`."""
    require_at_table(table, by)
    seats = list(table.seats.select_related("entry").order_by("index"))
    others: list[int] = []
    must: list[int] = []
    if tables_decide(table):
        # Only who was drawn there can be told, and everybody who is still in must be.
        must = [s.entry.number for s in seats if s.entry.state != Entry.State.DROPPED]
    elif by.organiser:
        entries = Entry.objects.filter(competition=competition, state=Entry.State.ENTERED)
        others = list(entries.values_list("number", flat=True))
    try:
        return places_of(said, [seat.entry.number for seat in seats], others, must)
    except LeftOutError as error:
        raise SeatLeftOutError(
            "Here the table decides who goes on: everybody there has a place.",
            field="places",
            missing=error.numbers,
        ) from error
    except SayingError as error:
        raise BadResultError(str(error), field="places") from error


def told_at(
    competition: Competition,
    table: Table,
    said: Sequence[Sequence[int]],
    by: By,
    forfeits: Sequence[int],
) -> Places:
    """`places_at`, where `forfeits` gave up and are last."""
    places = places_at(competition, table, said, by)
    if forfeits and (len(places) < 2 or not set(forfeits) <= set(places[-1])):
        raise BadResultError("Who gives up is last.", field="forfeits")
    return places


def places_in(row: DealResult) -> Places:
    """Its groups, from first to last."""
    return tuple(tuple(group) for group in row.places)


def wire(places: Places) -> list[list[int]]:
    """Places as they are kept."""
    return [list(group) for group in places]
