"""Stamps: one cheap statement that says whether anything about a game may have changed.

A stamp's `key` changes with every row that a view is made from. Who holds what belongs to a stamp
needs no replay; who sits where and who may look is in it too.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple
from uuid import UUID

from config.kit import quick
from games.models import Game


class Stamp(NamedTuple):
    """A game's rows at one moment. `players` by seat; `overdue`: a person's time is up."""

    game_id: UUID
    key: str
    state: str
    visibility: str
    created_by: int | None
    players: tuple[int | None, ...]
    overdue: bool
    invited: tuple[int | None, ...] = ()
    competition_ref: int | None = None

    def seat_of(self, player_id: int | None) -> int | None:
        """The seat of a player, None if it has none here."""
        if player_id is None or player_id not in self.players:
            return None
        return self.players.index(player_id)

    def may_look(self, player_id: int | None) -> bool:
        """Whether this player (None: anybody) may look, if he may at its competition."""
        if self.visibility != Game.Visibility.PRIVATE:
            return True
        insiders = (*self.players, *self.invited, self.created_by)
        return player_id is not None and player_id in insiders


# A row's xmin is another one after every change of it, whatever was changed and by whom. One row
# a seat: putting them together here is cheaper than there.
_STAMPS = """
    SELECT g.id, g.state, g.visibility, g.created_by_id,
        g.state = 'playing' AND coalesce(g.deadline_at < clock_timestamp(), false),
        g.competition_ref, g.xmin::text, d.xmin::text, n.xmin::text,
        t.player_id, t.invited_id, t.xmin::text, p.xmin::text, i.xmin::text
    FROM games_game g
    JOIN games_deck d ON d.id = g.deck_id
    JOIN games_seat t ON t.game_id = g.id
    LEFT JOIN games_player p ON p.id = t.player_id
    LEFT JOIN games_player i ON i.id = t.invited_id
    LEFT JOIN games_game n ON n.rematch_of_id = g.id
    WHERE g.id {which}
    ORDER BY g.id, t.index
"""
# How many columns tell of the game; those of the seat follow.
_GAME = 9
_ONE, _MANY = _STAMPS.format(which="= %s"), _STAMPS.format(which="= ANY(%s)")


def stamps(game_ids: Iterable[UUID]) -> dict[UUID, Stamp]:
    """The stamps of these games; games that have no row are left out."""
    rows = groupby(quick.rows(_MANY, [list(game_ids)]), itemgetter(0))
    return {game_id: _stamp(list(seats)) for game_id, seats in rows}


def stamp(game_id: UUID) -> Stamp | None:
    """The stamp of one game; None if it has no row, as games of house bots have none."""
    rows = quick.rows(_ONE, [game_id])
    return _stamp(rows) if rows else None


def _stamp(seats: list[tuple[Any, ...]]) -> Stamp:
    game_id, state, visibility, created_by, overdue, competition_ref, *versions = seats[0][:_GAME]
    for seat in seats:
        versions += seat[_GAME:]
    return Stamp(
        game_id=game_id,
        key=" ".join(map(str, versions)),
        state=state,
        visibility=visibility,
        created_by=created_by,
        players=tuple(seat[_GAME] for seat in seats),
        overdue=overdue,
        invited=tuple(seat[_GAME + 1] for seat in seats),
        competition_ref=competition_ref,
    )
