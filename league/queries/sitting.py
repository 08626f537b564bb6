"""Who sits at a place of a club now, and how the deals there stand."""

from dataclasses import dataclass
from functools import cached_property

from games.models import Player
from league.errors import PlaceNotFoundError
from league.formats.field import Places
from league.models import Competition, DealResult, Entry, Place, Round, Table, TableSeat
from league.queries import nicknames, stints

State = DealResult.State


@dataclass(frozen=True)
class Sitting:
    """A table of people at a place: `entries` in the order of their seats."""

    competition: Competition
    table: Table
    entries: tuple[Entry, ...]
    results: tuple[DealResult, ...]
    players: dict[int, Player]
    """By number: who plays the entry in this round, the substitute where there is one."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The entries by number, in the order of their seats."""
        return tuple(entry.number for entry in self.entries)

    @property
    def names(self) -> dict[int, str]:
        """Who sits there by number, in the order of their seats."""
        return {number: self.players[number].name for number in self.numbers}

    @cached_property
    def by_deal(self) -> dict[int, DealResult]:
        """The results that stand, by deal."""
        return {row.deal: row for row in self.results if row.state != State.VOID}

    @property
    def next_deal(self) -> int | None:
        """The first deal that nobody has told of; None when all are told."""
        deals = range(1, self.table.deals_planned + 1)
        return next((deal for deal in deals if deal not in self.by_deal), None)

    @property
    def takes_results(self) -> bool:
        """Whether results are taken now."""
        running = self.competition.state in (
            Competition.State.RUNNING,
            Competition.State.FINISHED,
        )
        return running and self.table.round.state != Round.State.VOID


def place_of(code: str) -> Place:
    """The place of a code. Raises `PlaceNotFoundError`."""
    found = Place.objects.select_related("club").filter(code=code).first()
    if found is None:
        raise PlaceNotFoundError("There is no such place.")
    return found


def sitting_at(place: Place) -> Sitting | None:
    """The newest table of that number in the club's competitions, the one being played first."""
    tables = Table.objects.filter(
        kind=Table.Kind.TYPED,
        number=place.number,
        round__competition__club=place.club,
        round__competition__state__in=[Competition.State.RUNNING, Competition.State.FINISHED],
    ).exclude(state=Table.State.VOID)
    newest = tables.select_related("round__competition__club", "round__stage").order_by("-round_id")
    playing = newest.filter(round__state=Round.State.PLAYING).first()
    table = playing or newest.first()
    return None if table is None else sitting(table)


def sitting_of(place: Place, table_id: int) -> Sitting | None:
    """A certain table that was seated at the place, None where it was not."""
    tables = Table.objects.filter(
        pk=table_id,
        kind=Table.Kind.TYPED,
        number=place.number,
        round__competition__club=place.club,
    ).exclude(state=Table.State.VOID)
    table = tables.select_related("round__competition__club", "round__stage").first()
    return None if table is None else sitting(table)


def sitting(table: Table) -> Sitting:
    """A table as a sitting; its round and competition selected along."""
    seats = TableSeat.objects.filter(table=table).select_related("entry__player")
    results = DealResult.objects.filter(table=table).select_related("entered_by", "contested_by")
    entries = tuple(seat.entry for seat in seats.order_by("index"))
    playing = stints.played_by(entries, table.round.number)
    nicknames.give(table.round.competition.club_id, playing.values())
    return Sitting(
        table.round.competition,
        table,
        entries,
        tuple(results.order_by("deal")),
        {entry.number: playing[entry.pk] for entry in entries},
    )


def last_of(places: Places | list[list[int]]) -> list[int]:
    """Who was last; nobody in a deal that was abandoned."""
    return list(places[-1]) if places else []
