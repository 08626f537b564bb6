"""One game as somebody looks at it: row, seats, clock, replay; and who may look.

The role of a viewer is decided here, never by what a request says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from time import monotonic
from uuid import UUID

from django.conf import settings
from django.db.models import Prefetch
from django.utils.module_loading import import_string

from config.kit.clock import ClockTimestamp
from games.engine import Game as EngineGame
from games.errors import GameNotFoundError
from games.models import Game, Seat
from games.queries import clocks, replays, sight
from games.queries.finished import finished_game
from games.queries.holidays import away_of
from games.queries.views import Story, story_of

DECIDED = sight.ENDED
SHOWN_S = 5.0
_MOST_HELD = 10_000
_shown_until: dict[int, float] = {}


@dataclass(frozen=True)
class Played:
    """A game read at the moment `now` of the database's clock."""

    row: Game
    seats: Sequence[Seat]
    now: datetime
    rematch: UUID | None = None

    @cached_property
    def story(self) -> Story:
        """Who has resigned, and an end that came of it."""
        return story_of(self.row)

    @cached_property
    def _away(self) -> Mapping[int, Sequence[clocks.Away]]:
        return away_of(self.row, self.seats)

    def deadline(self, seat: int) -> datetime:
        """When the time of a seat that is to act is up."""
        sitting = self.seats[seat]
        return clocks.deadline(self.row, sitting, self._away.get(sitting.player_id or 0, ()))

    @cached_property
    def game(self) -> EngineGame | None:
        """The engine game at the row's ply, shared; None before the deal."""
        return replays.shared(self.row) if self.row.started_at is not None else None

    @property
    def out(self) -> set[int]:
        """The seats that have got rid of their cards."""
        return {seat for group in self.game.places for seat in group} if self.game else set()

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
    seats = Prefetch("seats", Seat.objects.select_related("player", "invited").order_by("index"))
    rows = Game.objects.select_related("rules", "deck", "rematch").prefetch_related(seats)
    row = rows.annotate(now=ClockTimestamp()).filter(pk=game_id).first()
    if row is None:
        return None
    again: Game | None = getattr(row, "rematch", None)
    return Played(row, list(row.seats.all()), row.now, None if again is None else again.pk)


def _recorded(game_id: UUID, viewer_id: int | None) -> Played | None:
    found = finished_game(game_id, viewer_id)
    if found is None:
        return None
    row, seats = found
    assert row.ended_at is not None
    return Played(row, seats, row.ended_at)


def is_hidden(competition_ref: int | None, viewer_id: int | None) -> bool:
    """Whether a competition's games are none of this player's business.

    The layer above says so (`settings.HIDDEN_COMPETITIONS`); that anybody may look is held for a
    few seconds, so that watching takes no statement more.
    """
    if competition_ref is None or _shown_until.get(competition_ref, 0.0) > monotonic():
        return False
    hidden = import_string(settings.HIDDEN_COMPETITIONS)
    if not hidden(None).filter(pk=competition_ref).exists():
        if len(_shown_until) >= _MOST_HELD:
            _shown_until.clear()
        _shown_until[competition_ref] = monotonic() + SHOWN_S
        return False
    return bool(hidden(viewer_id).filter(pk=competition_ref).exists())


def is_outsider(row: Game, seats: Iterable[Seat], player_id: int | None) -> bool:
    """Whether the game is a private one of others, or of a competition that the player may not
    know of: for him it is not there, by any verb."""
    sitting = {id_ for seat in seats for id_ in (seat.player_id, seat.invited_id)} - {None}
    if player_id in sitting:
        return False
    private = row.visibility == Game.Visibility.PRIVATE
    if private and (player_id is None or player_id != row.created_by_id):
        return True
    return is_hidden(row.competition_ref, player_id)
