"""The one place that writes plies: conditional updates of game rows, seats' clocks, ends.

Knows columns, not rules. One statement moves any number of games on, locking rows in order of
key; who lost the race is not among the rows it returns. Runs inside the caller's transaction.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from config.kit.columns import fetch
from games import engine
from games.models import By, Game
from games.queries import clocks
from games.queries.clocks import USUAL_BYTES
from games.services import decks, records

CHANNEL = "games"


class Ply(NamedTuple):
    """One action to store: the engine's compact code of it, and when (ms since the start)."""

    seat: int
    code: bytes
    by: By
    at_ms: int


class SeatClock(NamedTuple):
    """What a seat has left after its decision."""

    seat: int
    bank_ms: int
    faults: int
    stand_in: bool


class End(NamedTuple):
    """How a game ended, and the finishing order."""

    ending: str
    places: tuple[tuple[int, ...], ...]


class Change(NamedTuple):
    """What one commit changes in one game. `game` is the engine game after it.

    With an `owner` the row must still be leased by it, under the same fencing number.
    """

    game_id: UUID
    seen_ply: int
    plies: Sequence[Ply]
    head: bytes
    game: engine.Game
    clocks: Sequence[SeatClock] = ()
    pending: dict[str, Any] = {}  # noqa: RUF012 - never changed
    deadline_at: datetime | None = None
    turn_at: datetime | None = None
    due: bool = False
    owner: str = ""
    fence: int = 0
    resigned: End | None = None
    """How it ended by resigning, or because of it otherwise than by its rules alone."""
    time_bytes: int = USUAL_BYTES

    @property
    def end(self) -> End | None:
        """How the game has ended; None: it has not."""
        if self.resigned is not None or self.game.ending is None:
            return self.resigned
        return End(str(self.game.ending), self.game.places)


# In order, so that two groups never wait for each other in a ring.
_LOCK = "SELECT 1 FROM games_game WHERE id = ANY(%s) ORDER BY id FOR UPDATE;"
# The rows come as one JSON document, whose text costs a fifth of fifteen parameters a game to make.
# The ids come once more because PostgreSQL can't tell how many rows the document holds, and would
# rather read the whole table.
_WRITE = """
    WITH written AS (
        UPDATE games_game AS t SET
            ply = t.ply + g.count,
            actions = t.actions || g.actions,
            at_ms = t.at_ms || g.at_ms,
            "by" = t."by" || g.bys,
            head = g.head,
            pending = g.pending,
            deadline_at = g.deadline_at,
            turn_at = coalesce(g.turn_at, t.turn_at),
            due_at = CASE
                WHEN g.places IS NOT NULL THEN NULL
                WHEN t.kind = 'driven' THEN t.due_at
                WHEN g.due THEN coalesce(t.due_at, clock_timestamp()) END,
            attempts = 0,
            state = CASE WHEN g.places IS NULL THEN t.state ELSE 'over' END,
            ending = g.ending,
            places = g.places,
            ended_at = CASE WHEN g.places IS NOT NULL THEN clock_timestamp() END
        FROM jsonb_to_recordset(%s) AS g(
            id uuid, seen int, count int, actions bytea, at_ms bytea, bys bytea, head bytea,
            pending jsonb, deadline_at timestamptz, turn_at timestamptz, due bool,
            ending text, places jsonb, owner text, fence bigint
        )
        WHERE t.id = ANY(%s) AND t.id = g.id AND t.ply = g.seen AND t.state = 'playing'
            AND (g.owner = '' OR (t.lease_owner = g.owner AND t.lease_fence = g.fence))
        RETURNING t.id, CASE WHEN g.count > 0 THEN pg_notify(%s, t.id || ' ' || t.ply)::text END
    )
"""
_CLOCKS = """,
    spent AS (
        UPDATE games_seat AS s SET
            bank_ms = c.bank_ms,
            faults = c.faults,
            stand_in_at = CASE WHEN c.stand_in THEN coalesce(s.stand_in_at, now()) END
        FROM jsonb_to_recordset(%s) AS c(
            game_id uuid, seat int, bank_ms int, faults int, stand_in bool
        )
        WHERE s.game_id = c.game_id AND s.index = c.seat
            AND s.game_id IN (SELECT id FROM written)
    )
"""
_WRITTEN = " SELECT id FROM written"


def write(changes: Sequence[Change]) -> set[UUID]:
    """Store the changes whose rows are still as seen; returns the ids of those games.

    One way to the database and back, besides what the end of a game takes.
    """
    ids = [change.game_id for change in changes]
    statement = _WRITE
    given: list[Any] = [json.dumps([_columns(change) for change in changes]), ids, CHANNEL]
    if len(ids) > 1:
        statement, given = _LOCK + statement, [ids, *given]
    if seats := [_clock(change, clock) for change in changes for clock in change.clocks]:
        statement += _CLOCKS
        given.append(json.dumps(seats))
    *_, rows = fetch(statement + _WRITTEN, given)
    written = {game_id for (game_id,) in rows}
    done = [change for change in changes if change.game_id in written]
    _end([change.game_id for change in done if change.end is not None])
    return written


def _columns(change: Change) -> Mapping[str, Any]:
    plies, end = change.plies, change.end
    return {
        "id": change.game_id.hex,
        "seen": change.seen_ply,
        "count": len(plies),
        "actions": _hex(b"".join(ply.code for ply in plies)),
        "at_ms": _hex(clocks.packed((ply.at_ms for ply in plies), change.time_bytes)),
        "bys": _hex(bytes(ply.by for ply in plies)),
        "head": _hex(change.head),
        "pending": change.pending,
        "deadline_at": _text(change.deadline_at),
        "turn_at": _text(change.turn_at),
        "due": change.due,
        "ending": end.ending if end else "",
        "places": end.places if end else None,
        "owner": change.owner,
        "fence": change.fence,
    }


def _clock(change: Change, clock: SeatClock) -> Mapping[str, Any]:
    return {"game_id": change.game_id.hex, **clock._asdict()}


def _hex(data: bytes) -> str:
    return "\\x" + data.hex()


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _end(game_ids: Sequence[UUID]) -> None:
    if not game_ids:
        return
    ended = list(
        Game.objects.filter(pk__in=game_ids).select_related("deck").prefetch_related("seats")
    )
    records.insert(ended)
    decks.count_over([game.deck_id for game in ended])
