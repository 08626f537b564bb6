"""The twelve positions of a check as the driver puts turns, and as `positions.json` shows them."""

from __future__ import annotations

from typing import Any

from bots_api.protocol.messages import turn_message
from games.agents import Turn
from games.arena.positions import (
    BANK_MS,
    DEADLINE_MS,
    POSITIONS,
    Position,
    found,
    game_id,
    refusal,
)
from games.engine import History, view
from games.queries.views import wire_view

__all__ = ["DEADLINE_MS", "POSITIONS", "Position", "document", "refusal", "turn_of"]


def turn_of(position: Position) -> Turn:
    """The position as the driver would put it."""
    game, seat = found(position)
    return Turn(
        game_id=game_id(position),
        rules=game.rules,
        players=game.players,
        dealer=game.dealer,
        competition=None,
        seat=seat,
        move_number=game.move_number(seat),
        wire=wire_view(game, seat),
        legal=list(game.legal(seat)),
        deadline_ms=DEADLINE_MS,
        bank_ms=BANK_MS,
        faults=0,
        view=view(game, seat),
        events=History(game, seat),
        seed=b"",
    )


def document() -> list[dict[str, Any]]:
    """All positions as `positions.json` has them: a message each, without its own id."""
    shown = []
    for position in POSITIONS:
        message = turn_message(turn_of(position), None).shown
        del message["request_id"]
        shown.append({"name": position.name, "message": message})
    return shown
