"""Whatever is done to a league of people in whatever order, it stays sound and comes to an end."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.kit import clock
from config.kit.errors import ServiceError
from games.models import Player
from league.errors import TooFewEntriesError
from league.formats.registry import FORMATS
from league.models import Competition, DealResult, Entry, LedgerRow, Table
from league.services import checkin, competitions, confirming, entries, typed
from league.services.competitions import NewCompetition
from league.services.typed_tables import By, Where
from tests.league import cast
from tests.league.any_order import AnyOrder, Move, fresh, tried_often

pytestmark = pytest.mark.django_db(transaction=True)
_BEFORE = ("late", "back", "withdraw", "checkin")
_ACTS = (
    *("type", "report", "confirm", "dispute", "rule", "sheet", "void", "unvoid", "undo"),
    *("drop", "late", "back", "withdraw", "substitute", "checkin", "chips", "revoke"),
    *("pause", "resume", "open"),
)


def _moves(acts: tuple[str, ...], most: int) -> st.SearchStrategy[list[Move]]:
    return st.lists(
        st.tuples(st.sampled_from(acts), st.integers(0, 11), st.booleans()), max_size=most
    )


@pytest.mark.parametrize("format", FORMATS)
@tried_often
@given(
    people=st.integers(2, 7),
    size=st.integers(2, 4),
    before=_moves(_BEFORE, 5),
    moves=_moves(_ACTS, 14),
    how=st.tuples(*[st.booleans()] * 3),
)
def test_it_stays_sound_in_any_order_and_comes_to_an_end(
    format: str,
    people: int,
    size: int,
    before: list[Move],
    moves: list[Move],
    how: tuple[bool, bool, bool],
) -> None:
    by_hand, strict, rehearsal = how
    chosen: dict[str, Any] = {"entrants": "people", "results": "typed", "deals_per_table": 1}
    chosen |= {"table_size": size, "no_show": "withdraw" if strict else "stand_in"}
    chosen |= {"next_round": "by_hand" if by_hand else "at_once"}
    chosen |= {"late_entry": True} if format in ("rounds", "strikes") else {}
    chosen |= {"rounds": 3, "limit": 4} if format == "rounds" else {}
    new = NewCompetition(
        name="Any",
        format=format,  # type: ignore[arg-type]
        settings=chosen,
        starts_at=clock.now() - timedelta(minutes=1),
        rehearsal=rehearsal,
    )
    event = _Night(new, people, before)
    event.check()
    event.go_through(moves)


class _Night(AnyOrder):
    """A typed competition. Who entered the day before is a no-show unless he checks in."""

    def __init__(self, new: NewCompetition, people: int, before: list[Move]) -> None:
        self.organiser = By(cast.person(fresh("Organiser")).pk, organiser=True)
        club = cast.club(fresh("any").replace(" ", "-"))
        super().__init__(competitions.create(club.pk, new).pk, [])
        for _ in range(people):
            self.late(0, False)
        yesterday = clock.now() - timedelta(days=1)
        Entry.objects.filter(competition=self.pk).update(since=yesterday)
        for act, lot, turned in before:
            try:
                getattr(self, act)(lot, turned)
            except ServiceError as refusal:
                assert refusal.code
        self._start()

    def _start(self) -> None:
        while Competition.objects.get(pk=self.pk).state == "open":
            try:
                competitions.start(self.pk)
            except TooFewEntriesError:
                self.late(0, False)

    def newcomer(self) -> Player:
        return cast.person(fresh("Player"))

    def play_round(self) -> None:
        for table in self.tables().filter(state="playing"):
            self._rule_at(table)

    def withdraw(self, lot: int, turned: bool) -> None:
        entries.withdraw(self.pk, self._player(lot).pk)

    def checkin(self, lot: int, turned: bool) -> None:
        checkin.check_in(self.pk, self._player(lot).pk, checkin.By.SELF)

    def type(self, lot: int, turned: bool) -> None:
        self._say(lot, turned, self.organiser, seen=None)

    def rule(self, lot: int, turned: bool) -> None:
        self._say(lot, turned, self.organiser, seen=self._version(lot))

    def report(self, lot: int, turned: bool) -> None:
        self._say(lot, turned, self._seat(lot, 0), seen=None)

    def confirm(self, lot: int, turned: bool) -> None:
        self._say(lot, turned, self._seat(lot, 1), seen=None)

    def dispute(self, lot: int, turned: bool) -> None:
        self._say(lot, turned, self._seat(lot, 1), seen=self._version(lot))

    def sheet(self, lot: int, turned: bool) -> None:
        where = self._where(self.table(lot))
        confirming.confirm_sheet(where, self.organiser if turned else self._seat(lot, 0))

    def void(self, lot: int, turned: bool) -> None:
        where = self._where(self.table(lot))
        typed.void(where, self.organiser, self._version(lot) or 1, "ruling", "Seen twice.")

    def unvoid(self, lot: int, turned: bool) -> None:
        row = DealResult.objects.filter(table__round__competition=self.pk, state="void").first()
        if row is not None:
            where = self._where(row.table)
            typed.enter(where, row.places, self.organiser, row.version)

    def undo(self, lot: int, turned: bool) -> None:
        """The version before the newest one is said again, as organisers do at typed tables."""
        table = self.table(lot)
        rows = LedgerRow.objects.filter(competition=self.pk, table_ref=table.pk).order_by("-seq")
        said = [row.body["places"] for row in rows if "deal" in row.body]
        if len(said) > 1:
            typed.enter(self._where(table), said[1], self.organiser, self._version(lot))

    def _version(self, lot: int) -> int | None:
        row = DealResult.objects.filter(table=self.table(lot)).first()
        return row.version if row else None

    def _seat(self, lot: int, index: int) -> By:
        seat = self.table(lot).seats.select_related("entry").order_by("index")[index]
        return By(seat.entry.player_id, organiser=False)

    def _say(self, lot: int, turned: bool, by: By, seen: int | None) -> None:
        table = self.table(lot)
        seats = list(table.seats.order_by("index").values_list("entry__number", flat=True))
        said = [[n] for n in (reversed(seats) if turned else seats)]
        typed.enter(self._where(table), said, by, seen)

    def _where(self, table: Table) -> Where:
        return Where(self.pk, table.round.number, table.number, 1)

    def _rule_at(self, table: Table) -> None:
        seats = list(table.seats.order_by("index").values_list("entry__number", flat=True))
        row = DealResult.objects.filter(table=table).first()
        version = row.version if row else None
        typed.enter(self._where(table), [[n] for n in seats], self.organiser, version)
