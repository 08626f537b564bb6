"""Whatever is done to a league in whatever order, it stays sound and comes to an end (R22)."""

from typing import Any

import pytest
from django.db.models import Count, QuerySet
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from config.kit.errors import ServiceError
from games.models import Player
from league.formats.registry import FORMATS
from league.models import Competition, DealResult, Entry, Round, Table, TableSeat
from league.services import competitions, conduct, entries, ledger, rounds, tallies, typed
from league.services.competitions import NewCompetition
from league.services.typed_tables import By, Where
from tests.league import cast

pytestmark = pytest.mark.django_db(transaction=True)
_ACTS = ("type", "report", "confirm", "dispute", "rule", "drop", "late", "pause", "resume", "open")
_MOVES = st.tuples(st.sampled_from(_ACTS), st.integers(0, 11), st.booleans())
_made = iter(range(10**9))


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(people=st.integers(2, 7), moves=st.lists(_MOVES, max_size=14), by_hand=st.booleans())
def test_it_stays_sound_in_any_order_and_comes_to_an_end(
    format: str, people: int, moves: list[tuple[str, int, bool]], by_hand: bool
) -> None:
    event = _Event(format, people, by_hand)
    for act, lot, turned in moves:
        try:
            getattr(event, act)(lot, turned)
        except ServiceError as refusal:
            assert refusal.code
        event.check()
    event.play_to_the_end()
    event.check()


class _Event:
    """A typed competition and what is done to it; what is refused changes nothing."""

    def __init__(self, format: str, people: int, by_hand: bool) -> None:
        self.organiser = By(cast.person(f"Organiser {next(_made)}").pk, organiser=True)
        chosen: dict[str, Any] = {"entrants": "people", "results": "typed", "deals_per_table": 1}
        chosen |= {"next_round": "by_hand" if by_hand else "at_once"}
        chosen |= {"late_entry": True} if format in ("rounds", "strikes") else {}
        chosen |= {"rounds": 3} if format == "rounds" else {}
        new = NewCompetition(name="Any", format=format, settings=chosen)  # type: ignore[arg-type]
        self.pk = competitions.create(cast.club(f"any-{next(_made)}").pk, new).pk
        self.players: list[Player] = []
        for _ in range(people):
            self.late(0, False)
        competitions.start(self.pk)
        self.finished = False

    def late(self, lot: int, turned: bool) -> None:
        player = cast.person(f"Player {next(_made)}")
        entries.enter(self.pk, player.pk)
        self.players.append(player)

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

    def drop(self, lot: int, turned: bool) -> None:
        player = self.players[lot % len(self.players)]
        conduct.drop(self.pk, player.pk, "player:1")

    def pause(self, lot: int, turned: bool) -> None:
        conduct.pause(self.pk, "player:1")

    def resume(self, lot: int, turned: bool) -> None:
        conduct.resume(self.pk, "player:1")

    def open(self, lot: int, turned: bool) -> None:
        rounds.open(self.pk)

    def play_to_the_end(self) -> None:
        """With an organiser who rules everything it ends in a bounded number of rounds."""
        if self._state() == "paused":
            conduct.resume(self.pk, "player:1")
        for _ in range(60):
            for table in self._tables().filter(state="playing"):
                self._rule_at(table)
            rounds.close_overdue()
            rounds.open(self.pk)
            if self._state() == "finished":
                return
        raise AssertionError("it never ends")

    def check(self) -> None:
        competition = Competition.objects.get(pk=self.pk)
        assert ledger.first_broken(competition) is None
        assert tallies.recompute(self.pk, write=False) == []
        playing = Round.objects.filter(competition=self.pk, state="playing")
        assert playing.count() <= 1
        seats = TableSeat.objects.filter(round__in=playing)
        twice = seats.values("entry").annotate(times=Count("pk")).filter(times__gt=1)
        assert not twice.exists()
        assert not self.finished or competition.state == "finished"
        self.finished = competition.state == "finished"
        if self.finished:
            assert not Entry.objects.filter(competition=self.pk, place=None).exists()
            assert Entry.objects.filter(competition=self.pk, place=1).exists()
            assert not playing.exists()

    def _tables(self) -> QuerySet[Table]:
        real = Table.objects.filter(round__competition=self.pk, deals_planned__gt=0)
        return real.order_by("pk")

    def _table(self, lot: int) -> Table:
        found = list(self._tables())
        return found[lot % len(found)]

    def _version(self, lot: int) -> int | None:
        row = DealResult.objects.filter(table=self._table(lot)).first()
        return row.version if row else None

    def _seat(self, lot: int, index: int) -> By:
        seat = self._table(lot).seats.select_related("entry").order_by("index")[index]
        return By(seat.entry.player_id, organiser=False)

    def _say(self, lot: int, turned: bool, by: By, seen: int | None) -> None:
        table = self._table(lot)
        seats = list(table.seats.order_by("index").values_list("entry__number", flat=True))
        said = [[n] for n in (reversed(seats) if turned else seats)]
        typed.enter(Where(self.pk, table.round.number, table.number, 1), said, by, seen)

    def _rule_at(self, table: Table) -> None:
        seats = list(table.seats.order_by("index").values_list("entry__number", flat=True))
        row = DealResult.objects.filter(table=table).first()
        where = Where(self.pk, table.round.number, table.number, 1)
        typed.enter(where, [[n] for n in seats], self.organiser, row.version if row else None)

    def _state(self) -> str:
        return Competition.objects.get(pk=self.pk).state
