"""One game as somebody looks at it: row, seats, clock, replay; and who may look.

The role of a viewer is decided here, never by what a request says.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from uuid import UUID

from django.db.models import Prefetch

from config.kit.clock import ClockTimestamp
from games.engine import Game as EngineGame
from games.errors import GameNotFoundError
from games.models import Game, Seat
from games.queries import replays, sight
from games.queries.finished import finished_game

DECIDED = sight.ENDED


@dataclass(frozen=True)
class Played:
    """A game read at the moment `now` of the database's clock."""

    row: Game
    seats: Sequence[Seat]
    now: datetime

    @cached_property
    def game(self) -> EngineGame | None:
        """The engine game at the row's ply, shared; None before the deal."""
        return replays.shared(self.row) if self.row.started_at is not None else None

    def shown(self, seat: int | None) -> EngineGame | None:
        """The engine game as far as `seat` (None: everybody) may see it; None: none of it."""
        game = self.game
        if game is None or seat is not None:
            return game
        ply = sight.public_ply(self.row, game)
        return None if ply is None else replays.shared_at(self.row, ply)

    @property
    def overdue(self) -> bool:
        """Whether a person's clock has run out and nobody has noticed yet."""
        at = self.row.deadline_at
        return self.row.state == Game.State.PLAYING and at is not None and at < self.now

    def seat_of(self, player_id: int | None) -> int | None:
        """The seat of a player, None if it has none here."""
        if player_id is None:
            return None
        return next((seat.index for seat in self.seats if seat.player_id == player_id), None)

    def waits(self, seat: int | None) -> bool:
        """Whether the seat's sealed answer is in."""
        return str(seat) in self.row.pending


def load(game_id: UUID, viewer_id: int | None = None) -> Played:
    """Read a game for a viewer (a player's id, None for anybody); two statements.

    One that has no row, or no longer one, is read from its record. Raises `GameNotFoundError`,
    for a private game of others too.
    """
    played = _live(game_id) or _recorded(game_id, viewer_id)
    if played is None or is_outsider(played.row, played.seats, viewer_id):
        raise GameNotFoundError("There is no such game.")
    return played


def read(game_id: UUID) -> Played:
    """Read a game that has a row, whoever may look. Raises `GameNotFoundError`."""
    played = _live(game_id)
    if played is None:
        raise GameNotFoundError("There is no such game.")
    return played


def _live(game_id: UUID) -> Played | None:
    seats = Prefetch("seats", Seat.objects.select_related("player").order_by("index"))
    rows = Game.objects.select_related("rules", "deck").prefetch_related(seats)
    row = rows.annotate(now=ClockTimestamp()).filter(pk=game_id).first()
    return None if row is None else Played(row, list(row.seats.all()), row.now)


def _recorded(game_id: UUID, viewer_id: int | None) -> Played | None:
    found = finished_game(game_id, viewer_id)
    if found is None:
        return None
    row, seats = found
    assert row.ended_at is not None
    return Played(row, seats, row.ended_at)


def is_outsider(row: Game, seats: Iterable[Seat], player_id: int | None) -> bool:
    """Whether the game is a private one of others: for this player it is not there, by any verb."""
    if row.visibility != Game.Visibility.PRIVATE:
        return False
    insiders = {row.created_by_id, *(seat.player_id for seat in seats)} - {None}
    return player_id not in insiders
