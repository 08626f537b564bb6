"""Whatever is done to a league in whatever order, it stays sound and comes to an end (R22)."""

import os
from collections import Counter
from typing import Any

import pytest
from django.db.models import Count, QuerySet
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from config.kit.errors import ServiceError
from games.models import Player
from league.formats.registry import FORMATS
from league.models import Competition, DealResult, Entry, LedgerRow, Round, Table, TableSeat
from league.services import (
    checkin,
    chips,
    competitions,
    conduct,
    confirming,
    entries,
    ledger,
    rounds,
    substitution,
    tallies,
    typed,
)
from league.services.chips import ByHand
from league.services.competitions import NewCompetition
from league.services.substitution import ChipsGo, Swap
from league.services.typed_tables import By, Where
from tests.league import cast
from tests.league.archive.cast import document
from tests.league.archive.test_checking import _bad

pytestmark = pytest.mark.django_db(transaction=True)
_ACTS = (
    *("type", "report", "confirm", "dispute", "rule", "sheet", "void", "unvoid", "undo"),
    *("drop", "late", "substitute", "checkin", "chips", "revoke"),
    *("pause", "resume", "open"),
)
_MOVES = st.tuples(st.sampled_from(_ACTS), st.integers(0, 11), st.booleans())
_made = iter(range(10**9))


@pytest.mark.parametrize("format", FORMATS)
@settings(
    max_examples=int(os.environ.get("EXAMPLES", "4")),
    deadline=None,
    suppress_health_check=list(HealthCheck),
    # Each try is hundreds of statements: what fails is shown as it was found.
    phases=[Phase.explicit, Phase.generate],
)
@given(
    people=st.integers(2, 7),
    size=st.integers(2, 4),
    moves=st.lists(_MOVES, max_size=14),
    by_hand=st.booleans(),
)
def test_it_stays_sound_in_any_order_and_comes_to_an_end(
    format: str, people: int, size: int, moves: list[tuple[str, int, bool]], by_hand: bool
) -> None:
    event = _Event(format, people, size, by_hand)
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

    def __init__(self, format: str, people: int, size: int, by_hand: bool) -> None:
        self.organiser = By(cast.person(f"Organiser {next(_made)}").pk, organiser=True)
        chosen: dict[str, Any] = {"entrants": "people", "results": "typed", "deals_per_table": 1}
        chosen |= {"table_size": size}
        chosen |= {"next_round": "by_hand" if by_hand else "at_once"}
        chosen |= {"late_entry": True} if format in ("rounds", "strikes") else {}
        chosen |= {"rounds": 3, "limit": 4} if format == "rounds" else {}
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

    def sheet(self, lot: int, turned: bool) -> None:
        where = self._where(self._table(lot))
        confirming.confirm_sheet(where, self.organiser if turned else self._seat(lot, 0))

    def void(self, lot: int, turned: bool) -> None:
        where = self._where(self._table(lot))
        typed.void(where, self.organiser, self._version(lot) or 1, "ruling", "Seen twice.")

    def unvoid(self, lot: int, turned: bool) -> None:
        row = DealResult.objects.filter(table__round__competition=self.pk, state="void").first()
        if row is not None:
            where = self._where(row.table)
            typed.enter(where, row.places, self.organiser, row.version)

    def undo(self, lot: int, turned: bool) -> None:
        """The version before the newest one is said again, as organisers do at typed tables."""
        table = self._table(lot)
        rows = LedgerRow.objects.filter(competition=self.pk, table_ref=table.pk).order_by("-seq")
        said = [row.body["places"] for row in rows if "deal" in row.body]
        if len(said) > 1:
            typed.enter(self._where(table), said[1], self.organiser, self._version(lot))

    def substitute(self, lot: int, turned: bool) -> None:
        coming = cast.person(f"Player {next(_made)}")
        to = ChipsGo.SUBSTITUTE if turned else ChipsGo.LEAVER
        leaver = self.players[lot % len(self.players)]
        substitution.substitute(self.pk, Swap(leaver.pk, coming.pk, to), "player:1")
        self.players[lot % len(self.players)] = coming

    def checkin(self, lot: int, turned: bool) -> None:
        player = self.players[lot % len(self.players)]
        checkin.check_in(self.pk, player.pk, checkin.By.SELF)

    def chips(self, lot: int, turned: bool) -> None:
        player = self.players[lot % len(self.players)]
        given = ByHand(player.pk, -1 if turned else 1 + lot % 3, "late")
        chips.give(self.pk, given, "player:1")

    def revoke(self, lot: int, turned: bool) -> None:
        rows = LedgerRow.objects.filter(competition=self.pk, kind__in=["chip", "adjustment"])
        found = list(rows.order_by("seq"))
        if found:
            chips.revoke(self.pk, found[lot % len(found)].seq, "player:1")

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
        assert _bad(document(competition)) == []
        playing = Round.objects.filter(competition=self.pk, state="playing")
        assert playing.count() <= 1
        seats = TableSeat.objects.filter(round__in=playing)
        twice = seats.values("entry").annotate(times=Count("pk")).filter(times__gt=1)
        assert not twice.exists()
        self._byes_go_round()
        assert not self.finished or competition.state == "finished"
        self.finished = competition.state == "finished"
        if self.finished:
            assert not Entry.objects.filter(competition=self.pk, place=None).exists()
            assert Entry.objects.filter(competition=self.pk, place=1).exists()
            assert not playing.exists()

    def _byes_go_round(self) -> None:
        """Who has a bye has had no more of them than anybody else who was seated with him."""
        had: Counter[int] = Counter()
        for drawn in Round.objects.filter(competition=self.pk).exclude(state="void"):
            tables: dict[int, list[int]] = {}
            for table, entry in TableSeat.objects.filter(round=drawn).values_list("table", "entry"):
                tables.setdefault(table, []).append(entry)
            fewest = min(had[entry] for seats in tables.values() for entry in seats)
            for (alone,) in [seats for seats in tables.values() if len(seats) == 1]:
                assert had[alone] == fewest
                had[alone] += 1

    def _tables(self) -> QuerySet[Table]:
        real = Table.objects.filter(round__competition=self.pk, deals_planned__gt=0)
        return real.select_related("round").order_by("pk")

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
        typed.enter(self._where(table), said, by, seen)

    def _where(self, table: Table) -> Where:
        return Where(self.pk, table.round.number, table.number, 1)

    def _rule_at(self, table: Table) -> None:
        seats = list(table.seats.order_by("index").values_list("entry__number", flat=True))
        row = DealResult.objects.filter(table=table).first()
        version = row.version if row else None
        typed.enter(self._where(table), [[n] for n in seats], self.organiser, version)

    def _state(self) -> str:
        return Competition.objects.get(pk=self.pk).state
