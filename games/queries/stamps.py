"""Stamps: one cheap statement that says whether anything about a game may have changed.

A stamp's `key` changes with every row that a view is made from. Who holds what belongs to a stamp
needs no replay; who sits where and who may look is in it too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from django.db import connection

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

    def seat_of(self, player_id: int | None) -> int | None:
        """The seat of a player, None if it has none here."""
        if player_id is None or player_id not in self.players:
            return None
        return self.players.index(player_id)

    def may_look(self, player_id: int | None) -> bool:
        """Whether this player (None: anybody) may look at the game at all."""
        if self.visibility != Game.Visibility.PRIVATE:
            return True
        return player_id is not None and player_id in (*self.players, self.created_by)


# A row's xmin is another one after every change of it, whatever was changed and by whom.
_STAMPS = """
    SELECT g.id, g.xmin || ' ' || d.xmin || ' ' || s.versions, g.state, g.visibility,
        g.created_by_id, s.players,
        g.state = 'playing' AND coalesce(g.deadline_at < clock_timestamp(), false)
    FROM games_game g JOIN games_deck d ON d.id = g.deck_id
    CROSS JOIN LATERAL (
        SELECT array_agg(t.player_id ORDER BY t.index) AS players,
            string_agg(concat(t.xmin, '.', p.xmin), ' ' ORDER BY t.index) AS versions
        FROM games_seat t LEFT JOIN games_player p ON p.id = t.player_id
        WHERE t.game_id = g.id
    ) s
    WHERE g.id = ANY(%s)
"""


def stamps(game_ids: Iterable[UUID]) -> dict[UUID, Stamp]:
    """The stamps of these games; games that have no row are left out."""
    with connection.cursor() as cursor:
        cursor.execute(_STAMPS, [list(game_ids)])
        return {row[0]: _stamp(*row) for row in cursor.fetchall()}


def stamp(game_id: UUID) -> Stamp | None:
    """The stamp of one game; None if it has no row, as games of house bots have none."""
    return stamps([game_id]).get(game_id)


def _stamp(
    game_id: UUID,
    key: str,
    state: str,
    visibility: str,
    created_by: int | None,
    players: list[int | None] | None,
    overdue: bool,
) -> Stamp:
    return Stamp(game_id, key, state, visibility, created_by, tuple(players or ()), overdue)
