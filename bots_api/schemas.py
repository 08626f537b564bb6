"""The messages to bots as JSON Schema: for authors, and for the API's description.

Members may be added to messages later; those named here stay.
"""

from __future__ import annotations

from typing import Any, Final

_TEXT: Final = {"type": "string"}
_COUNT: Final = {"type": "integer", "minimum": 0}
_SEAT: Final = {"type": "integer", "minimum": 0, "maximum": 5}
_CARD: Final = {"type": "string", "pattern": "^([2-9TJQKA][CDHS]|\\*[1-9])"}


def _list(items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **more}


def _object(required: dict[str, Any], description: str = "", **optional: Any) -> dict[str, Any]:
    made = {"type": "object", "required": list(required), "properties": {**required, **optional}}
    return {**made, "description": description} if description else made


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


_GAME: Final = _object(
    {
        "id": {"type": "string", "format": "uuid"},
        "rules": _object({"preset": _or_null(_TEXT), "options": {"type": "object"}, "hash": _TEXT}),
        "players": {"type": "integer", "minimum": 2, "maximum": 6},
        "dealer": _SEAT,
        "competition": _or_null(_TEXT),
    }
)
_VIEW: Final = _object(
    {
        "phase": {"enum": ["swap", "play", "respond", "over"]},
        "turn": _or_null(_SEAT),
        "to_act": _list(_SEAT),
        "stock": _COUNT,
        "hand": _list(_CARD),
        "hands": _list(_COUNT, description="Cards in each hand, by seat."),
        "up": _list(_list(_CARD), description="Face-up rows, by seat."),
        "down": _list(
            _list({"type": "boolean"}), description="By seat and slot: whether a card is there."
        ),
        "pile": _list(_or_null(_CARD), description="From the bottom; null: under a claim."),
        "fallen": {"type": "object", "additionalProperties": _COUNT},
        "events": _list({"type": "object"}, description="Since this seat's last decision."),
    },
    "What the seat may know.",
)


def _message(kind: str, members: dict[str, Any], description: str) -> dict[str, Any]:
    fixed = {"type": {"const": kind}, "protocol": {"const": 1}, "request_id": _TEXT}
    return _object({**fixed, **members}, description)


TURN: Final = _message(
    "turn",
    {
        "game": _GAME,
        "seat": _SEAT,
        "move_number": {"type": "integer", "minimum": 1},
        "view": _VIEW,
        "legal": _list(_TEXT, minItems=1),
        "deadline_ms": _COUNT,
        "bank_ms": _COUNT,
        "last_rtt_ms": _or_null(_COUNT),
        "faults": _COUNT,
    },
    "A decision. It holds everything that the seat may know.",
)
GAME_START: Final = _message(
    "game_start",
    {"game": _GAME, "seat": _SEAT, "commitment": _TEXT},
    "A game that is about to be dealt.",
)
GAME_END: Final = _message(
    "game_end",
    {"game": _object({"id": _TEXT}), "seat": _SEAT, "places": _list(_list(_SEAT))},
    "A game is over: its finishing order, shared places together.",
)
NONCE: Final = _message("nonce", {"nonce": _TEXT}, "Of a check.")

ACTION: Final = _object({"action": _TEXT}, note={"type": "string", "maxLength": 256})
TURN_SCHEMA: Final = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A turn of a Housuliiga bot",
    **TURN,
}

# What is sent to a webhook bot's `/move`: name, message, and the reply that is wanted.
CALLS: Final = (
    ("turn", TURN, ACTION),
    ("game_start", GAME_START, _object({}, entropy={"type": "string", "maxLength": 64})),
    ("game_end", GAME_END, _object({})),
    ("nonce", NONCE, _object({"nonce": _TEXT})),
)
