"""Examples of the API's description, taken from a real game."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.utils import OpenApiExample

GAME_ID: Final = "01923456-789a-7bcd-8ef0-123456789abc"
RULES: Final[dict[str, Any]] = {"preset": "table", "options": {}, "hash": "5f7b0d8a2c11"}
AINO: Final[dict[str, Any]] = {"id": 1, "name": "Aino", "kind": "guest"}
LOWEST: Final[dict[str, Any]] = {"id": 2, "name": "lowest", "kind": "house"}
SAT: Final[dict[str, Any]] = {
    "invited": None,
    "ready": True,
    "bank_ms": 300000,
    "stand_in": False,
    "resigned": False,
}
VIEW: Final[dict[str, Any]] = {
    "seat": 0,
    "phase": "play",
    "turn": 0,
    "to_act": [0],
    "ply": 2,
    "dealer": 1,
    "players": 2,
    "stock": 30,
    "hand": ["4C", "7C", "7D", "JS", "2H"],
    "hands": [5, 5],
    "up": [["6C", "TD", "KS"], ["3H", "9D", "AC"]],
    "down": [[True, True, True], [True, True, True]],
    "pile": [],
    "claims": None,
    "top": None,
    "fallen": {},
    "fallen_unseen": 0,
    "out": [],
    "places": None,
    "ending": None,
    "drawn": False,
    "events": [{"ply": 2, "event": "swap", "seat": 1, "cards": [], "taken": []}],
}
LISTED: Final[dict[str, Any]] = {
    "id": GAME_ID,
    "state": "playing",
    "visibility": "public",
    "rated": False,
    "rules": RULES,
    "players": 2,
    "dealer": 1,
    "seats": [
        {"seat": 0, "player": AINO, **SAT},
        {"seat": 1, "player": LOWEST, **SAT},
    ],
    "move_ms": 60000,
    "bank_ms": 300000,
    "move_days": None,
    "competition": None,
    "commitment": "9f0c…",
    "head": None,
    "created_at": "2026-11-29T17:00:00.000Z",
    "started_at": "2026-11-29T17:00:09.120Z",
    "ended_at": None,
    "ending": None,
    "places": None,
}
GAME: Final[dict[str, Any]] = {
    **LISTED,
    "seat": 0,
    "join_code": None,
    "rematch": None,
    "deadline_at": "2026-11-29T17:06:09.120Z",
    "waiting": False,
    "move_number": 2,
    "legal": ["P:2x1", "P:4x1", "P:7x1", "P:7x2", "P:Jx1"],
    "view": VIEW,
}
MOVE: Final[dict[str, Any]] = {
    "game": GAME_ID,
    "seat": 0,
    "move_number": 2,
    "action": "P:7C7D",
    "by": "seat",
    "waiting": False,
    "ply": 3,
    "link": "41d0…",
    "view": VIEW,
}
RECORD: Final[dict[str, Any]] = {
    "format": "paskahousu-record",
    "version": 1,
    "rules": {"preset": "table", "options": {}},
    "players": 2,
    "dealer": 1,
    "deck": ["7C", "AS", "…"],
    "actions": ["0 S:/", "1 S:/", "0 P:7C7D"],
    "tags": {"names": ["Aino", "lowest"], "date": "2026-11-29"},
}
PROOF: Final[dict[str, Any]] = {
    "format": "paskahousu-proof",
    "version": 1,
    "record": RECORD,
    "deck_id": "0f…",
    "commitment": "9f0c…",
    "server_seed": "77…",
    "entropies": [[0, "rain on the roof"], [1, ""]],
    "at_ms": [1840, 1960, 5210],
    "by": ["seat", "seat", "seat"],
    "head": "41d0…",
}


EVENTS: dict[str, Any] = {
    "events": [{"number": 1, "ply": 1, "event": "play", "seat": 0, "count": 1, "cards": ["7C"]}],
    "last": 1,
    "state": "playing",
}
STREAM = """retry: 2000

id: 1
event: event
data: {"number":1,"ply":1,"event":"play","seat":0,"count":1,"cards":["7C"]}

event: view
data: {"id":"01990d5c-7a8e-7c3a-9a55-0b1f2d3c4e5f","state":"playing"}

:

event: end
data: {}
"""


def asks(value: dict[str, Any]) -> OpenApiExample:
    """What a client sends."""
    return OpenApiExample("request", value=value, request_only=True)


def gets(value: dict[str, Any]) -> OpenApiExample:
    """What it gets."""
    return OpenApiExample("answer", value=value, response_only=True)
