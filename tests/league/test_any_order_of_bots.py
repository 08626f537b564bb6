"""Whatever is done to a cup of bots in whatever order, it stays sound and comes to an end."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.models import Player
from league.formats.registry import FORMATS
from league.models import LedgerRow, Table
from league.services import competitions, corrections, entries, house
from league.services.competitions import NewCompetition
from league.services.corrections import Correction, Undoing, Voiding
from tests.league import cast
from tests.league.any_order import ACTOR, AnyOrder, Move, fresh, tried_often

pytestmark = pytest.mark.django_db(transaction=True)
_ACTS = (
    *("play", "play", "round", "amend", "redraw", "void", "undo"),
    *("drop", "late", "substitute", "chips", "revoke"),
    *("pause", "resume", "open"),
)


@pytest.mark.parametrize("format", FORMATS)
@tried_often
@given(
    bots=st.integers(2, 7),
    size=st.integers(2, 4),
    moves=st.lists(
        st.tuples(st.sampled_from(_ACTS), st.integers(0, 11), st.booleans()), max_size=14
    ),
    by_hand=st.booleans(),
    rehearsal=st.booleans(),
)
def test_it_stays_sound_in_any_order_and_comes_to_an_end(
    format: str, bots: int, size: int, moves: list[Move], by_hand: bool, rehearsal: bool
) -> None:
    chosen: dict[str, Any] = {"table_size": size, "deals_per_table": 1}
    chosen |= {"next_round": "by_hand" if by_hand else "at_once"}
    chosen |= {"late_entry": True} if format in ("rounds", "strikes") else {}
    chosen |= {"rounds": 3, "limit": 4} if format == "rounds" else {}
    new = NewCompetition(
        name="Any",
        format=format,  # type: ignore[arg-type]
        settings=chosen,
        rehearsal=rehearsal,
    )
    _Cup(new, bots).go_through(moves)


class _Cup(AnyOrder):
    """A competition of house bots, played table by table."""

    def __init__(self, new: NewCompetition, bots: int) -> None:
        club = cast.club(fresh("any").replace(" ", "-"))
        super().__init__(competitions.create(club.pk, new).pk, cast.house_bots(bots))
        for player in self.players:
            entries.enter(self.pk, player.pk)
        competitions.start(self.pk)

    def newcomer(self) -> Player:
        (player,) = cast.house_bots(1)
        return player

    def play_round(self) -> None:
        cast.play_all()

    def play(self, lot: int, turned: bool) -> None:
        """A table or two."""
        house.play_slice("test", 0.0)

    def round(self, lot: int, turned: bool) -> None:
        cast.play_all()

    def amend(self, lot: int, turned: bool) -> None:
        self._correct(lot, redraw=False)

    def redraw(self, lot: int, turned: bool) -> None:
        self._correct(lot, redraw=True)

    def void(self, lot: int, turned: bool) -> None:
        table = self._played(lot)
        if table is not None:
            seen = self._newest(table).body["version"]
            where = (self.pk, table.round.number, table.number)
            corrections.void(Voiding(*where, "ruling", seen), ACTOR)

    def undo(self, lot: int, turned: bool) -> None:
        table = self._played(lot)
        if table is not None:
            seen = self._newest(table).body["version"]
            corrections.undo(Undoing(self.pk, table.round.number, table.number, seen), ACTOR)

    def _correct(self, lot: int, *, redraw: bool) -> None:
        """First and last of a deal change places; a preview says it and changes nothing."""
        table = self._played(lot)
        if table is None:
            return
        newest = self._newest(table)
        turned = [list(reversed(deal)) for deal in newest.body.get("deals", [])]
        where = (self.pk, table.round.number, table.number)
        wanted = Correction(*where, turned, "typo", newest.body["version"], redraw)
        rows = LedgerRow.objects.count()
        corrections.preview(wanted)
        assert LedgerRow.objects.count() == rows
        corrections.amend(wanted, ACTOR)

    def _played(self, lot: int) -> Table | None:
        """A table that has a result; mostly one of the newest."""
        found = list(self.tables().filter(state__in=["done", "void"]))[::-1]
        told = [table for table in found if self._results(table)]
        return told[lot // 2 % len(told)] if told else None

    def _newest(self, table: Table) -> LedgerRow:
        return self._results(table)[-1]

    def _results(self, table: Table) -> list[LedgerRow]:
        rows = LedgerRow.objects.filter(table_ref=table.pk, kind__startswith="result.")
        return list(rows.order_by("seq"))
