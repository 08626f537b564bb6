"""A game as one JSON object, for API and pages alike: the table around the view of one viewer."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from games.engine import Game as EngineGame
from games.models import Game, Player, Seat
from games.queries import clocks, sight
from games.queries.played import Played
from games.queries.replays import rules_of, shared_at
from games.queries.rules_cards import rules_wire
from games.queries.views import wire_view


def game_wire(played: Played, viewer: int | None) -> dict[str, Any]:
    """The game as the seat `viewer` may see it; None: as everybody may."""
    shown = played.shown(viewer)
    return {
        **listed(played.row, played.seats),
        "seats": _seats(played, viewer),
        "seat": viewer,
        "join_code": _join_code(played, viewer),
        "rematch": str(played.rematch) if played.rematch is not None else None,
        "deadline_at": _iso(_deadline(played, viewer)),
        "waiting": viewer is not None and played.waits(viewer),
        **_decision(played, viewer),
        "view": wire_view(shown, viewer, story=played.story) if shown is not None else None,
    }


def game_wire_at(played: Played, viewer: int | None, ply: int) -> dict[str, Any]:
    """The same as the game stood after `ply` actions, no later than the viewer may see."""
    shown = played.shown(viewer)
    past = None if shown is None else shared_at(played.row, min(ply, shown.ply))
    return {
        **game_wire(played, viewer),
        "move_number": None,
        "legal": [],
        "view": wire_view(past, viewer, story=played.story) if past is not None else None,
    }


def listed(row: Game, seats: Iterable[Seat]) -> dict[str, Any]:
    """What a list shows of a game: nothing that depends on who looks."""
    deck = row.deck
    return {
        "id": str(row.pk),
        "state": row.state,
        "visibility": row.visibility,
        "rated": row.rated,
        "rules": rules_wire(rules_of(row)),
        "players": row.players,
        "dealer": row.dealer,
        "seats": [_seat(seat) for seat in seats],
        "move_ms": row.move_ms,
        "bank_ms": row.bank_ms,
        "move_days": row.move_days,
        "competition": row.competition_ref,
        "commitment": bytes(deck.commitment).hex(),
        "head": bytes(row.head).hex() if deck.gate_open and row.head else None,
        "created_at": _iso(row.created_at),
        "started_at": _iso(row.started_at),
        "ended_at": _iso(row.ended_at),
        "ending": row.ending or None,
        "places": row.places,
    }


def player_wire(player: Player) -> dict[str, Any]:
    """A player as everybody may see it."""
    return {"id": player.pk, "name": player.name, "kind": player.kind}


def _seat(seat: Seat) -> dict[str, Any]:
    return {
        "seat": seat.index,
        "player": player_wire(seat.player) if seat.player is not None else None,
        "invited": player_wire(seat.invited) if seat.invited is not None else None,
        "ready": seat.ready_at is not None,
        "bank_ms": seat.bank_ms,
        "stand_in": seat.stand_in_at is not None,
        "resigned": seat.resigned_at is not None,
    }


def _seats(played: Played, viewer: int | None) -> list[dict[str, Any]]:
    """The seats; who watches late is not told by the clocks what has happened since."""
    seats = [_seat(seat) for seat in played.seats]
    if viewer is None and sight.is_delayed(played.row):
        return [{**seat, "bank_ms": played.row.bank_ms} for seat in seats]
    return seats


def _decision(played: Played, viewer: int | None) -> dict[str, Any]:
    """The viewer's own decision: its number, and what is legal while it is open."""
    game = played.game
    if game is None or viewer is None or played.row.state != Game.State.PLAYING:
        return {"move_number": None, "legal": []}
    silent = played.waits(viewer) or played.seats[viewer].resigned_at is not None
    legal = [] if silent else game.legal(viewer)
    return {"move_number": game.move_number(viewer), "legal": legal}


def _join_code(played: Played, viewer: int | None) -> str | None:
    """What lets others sit down: for those who sit there, while somebody can."""
    forming = played.row.state == Game.State.FORMING
    return played.row.join_code or None if viewer is not None and forming else None


def _deadline(played: Played, viewer: int | None) -> datetime | None:
    """The viewer's own deadline while it is to act; else that of the last who may.

    Never the row's: that one moves when somebody's sealed answer comes in.
    """
    game, row = played.game, played.row
    if game is None or row.state != Game.State.PLAYING or row.kind != Game.Kind.EVENTED:
        return None
    seats = _asked(game, played, viewer)
    times = [played.deadline(seat) for seat in seats]
    return max(times, default=None)


def _asked(game: EngineGame, played: Played, viewer: int | None) -> list[int]:
    to_act = list(game.to_act())
    if viewer in to_act and not played.waits(viewer):
        return [viewer] if viewer is not None else []
    return [seat for seat in to_act if not clocks.by_machine(played.seats[seat])]


def _iso(moment: datetime | None) -> str | None:
    """UTC with milliseconds and a Z."""
    return (
        None if moment is None else f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03}Z"
    )
