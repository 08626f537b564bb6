"""A competition to which things are done in any order, and what must hold after each (R22)."""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from django.db.models import Count, QuerySet
from hypothesis import HealthCheck, Phase
from hypothesis import settings as hypothesis_settings

from config.kit.errors import ServiceError
from games.models import GameRecord, Player
from league.models import Competition, Entry, LedgerRow, Round, Table, TableSeat
from league.services import (
    chips,
    conduct,
    entries,
    ledger,
    rehearsals,
    rounds,
    substitution,
    tallies,
)
from league.services.chips import ByHand
from league.services.substitution import ChipsGo, Swap
from tests.league.archive.cast import document
from tests.league.archive.test_checking import _bad

# What is done, to whom or where, and one way or the other.
Move = tuple[str, int, bool]
ACTOR: Final = "player:1"
_made = iter(range(10**9))

tried_often: Callable[[Any], Any] = hypothesis_settings(
    max_examples=int(os.environ.get("EXAMPLES", "4")),
    deadline=None,
    suppress_health_check=list(HealthCheck),
    # Each try is hundreds of statements: what fails is shown as it was found.
    phases=[Phase.explicit, Phase.generate],
)


def fresh(what: str) -> str:
    """A name that nobody has yet."""
    return f"{what} {next(_made)}"


class AnyOrder:
    """A competition that has started, and acts by name; what is refused changes nothing."""

    def __init__(self, pk: int, players: list[Player]) -> None:
        self.pk = pk
        self.players = players
        self.finished = False

    def go_through(self, moves: Sequence[Move]) -> None:
        """Do each, look after each, and play to the end."""
        done: list[object] = []
        try:
            for act, lot, turned in moves:
                done.append((act, lot, turned))
                try:
                    getattr(self, act)(lot, turned)
                except ServiceError as refusal:
                    done.append(refusal.code)
                self.check()
            self.play_to_the_end()
            self.check()
            self.wipe()
        except AssertionError as error:
            raise AssertionError(f"after {done}: {error}") from error

    def newcomer(self) -> Player:
        """Somebody who is in nothing yet."""
        raise NotImplementedError

    def play_round(self) -> None:
        """Bring every table of the open round to its end."""
        raise NotImplementedError

    def late(self, lot: int, turned: bool) -> None:
        player = self.newcomer()
        entries.enter(self.pk, player.pk)
        self.players.append(player)

    def back(self, lot: int, turned: bool) -> None:
        entries.enter(self.pk, self._player(lot).pk)

    def drop(self, lot: int, turned: bool) -> None:
        conduct.drop(self.pk, self._player(lot).pk, ACTOR)

    def substitute(self, lot: int, turned: bool) -> None:
        coming = self.newcomer()
        to = ChipsGo.SUBSTITUTE if turned else ChipsGo.LEAVER
        substitution.substitute(self.pk, Swap(self._player(lot).pk, coming.pk, to), ACTOR)
        self.players[lot % len(self.players)] = coming

    def chips(self, lot: int, turned: bool) -> None:
        given = ByHand(self._player(lot).pk, -1 if turned else 1 + lot % 3, "late")
        chips.give(self.pk, given, ACTOR)

    def revoke(self, lot: int, turned: bool) -> None:
        rows = LedgerRow.objects.filter(competition=self.pk, kind__in=["chip", "adjustment"])
        found = list(rows.order_by("seq"))
        if found:
            chips.revoke(self.pk, found[lot % len(found)].seq, ACTOR)

    def pause(self, lot: int, turned: bool) -> None:
        conduct.pause(self.pk, ACTOR)

    def resume(self, lot: int, turned: bool) -> None:
        conduct.resume(self.pk, ACTOR)

    def open(self, lot: int, turned: bool) -> None:
        rounds.open(self.pk)

    def play_to_the_end(self) -> None:
        """With an organiser who sees to everything it ends in a bounded number of rounds."""
        if self.state() == "paused":
            conduct.resume(self.pk, ACTOR)
        for _ in range(60):
            self.play_round()
            rounds.close_overdue()
            rounds.open(self.pk)
            if self.state() == "finished":
                return
        raise AssertionError("it never ends")

    def check(self) -> None:
        """Sound, whatever was done: chain, tallies, draws, seats, byes, places."""
        competition = Competition.objects.get(pk=self.pk)
        assert ledger.first_broken(competition) is None
        wrong = tallies.recompute(self.pk, write=False)
        assert wrong == [], wrong
        bad = _bad(document(competition))
        assert bad == [], bad
        playing = Round.objects.filter(competition=self.pk, state="playing")
        assert playing.count() <= 1
        seats = TableSeat.objects.filter(round__in=playing)
        twice = seats.values("entry").annotate(times=Count("pk")).filter(times__gt=1)
        assert not twice.exists()
        self._byes_go_round()
        assert not self.finished or competition.state == "finished"
        self.finished = competition.state == "finished"
        if self.finished:
            seated = Entry.objects.filter(competition=self.pk).exclude(state="withdrawn")
            assert not seated.filter(place=None).exists()
            assert seated.filter(place=1).exists()
            assert not playing.exists()

    def wipe(self) -> None:
        """A rehearsal goes without a trace; nothing else can."""
        rehearsal = Competition.objects.get(pk=self.pk).rehearsal
        try:
            rehearsals.wipe(self.pk, ACTOR)
        except ServiceError as refusal:
            assert not rehearsal and refusal.code == "not_a_rehearsal"
        else:
            assert rehearsal
            assert not LedgerRow.objects.filter(competition=self.pk).exists()
            assert not GameRecord.objects.filter(competition_ref=self.pk).exists()

    def tables(self) -> QuerySet[Table]:
        """All that are played at, byes not."""
        real = Table.objects.filter(round__competition=self.pk, deals_planned__gt=0)
        return real.select_related("round").order_by("pk")

    def table(self, lot: int) -> Table:
        """One of them."""
        found = list(self.tables())
        return found[lot % len(found)]

    def state(self) -> str:
        """The competition's."""
        return Competition.objects.get(pk=self.pk).state

    def _player(self, lot: int) -> Player:
        return self.players[lot % len(self.players)]

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
