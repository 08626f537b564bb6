"""Examples of the API's description."""

from __future__ import annotations

from typing import Any, Final

from games.api.examples import AINO, GAME_ID

ROBO: Final[dict[str, Any]] = {"id": 17, "name": "Robo", "kind": "bot"}
NEW_BOT: Final[dict[str, Any]] = {"name": "Robo", "url": "https://robo.example.org/housu"}
BOT: Final[dict[str, Any]] = {
    "id": 4,
    "player": ROBO,
    "owner": AINO,
    "state": "active",
    "transport": "webhook",
    "url": "https://robo.example.org/housu",
    "description": "",
    "presets": ["table"],
    "concurrency": 8,
    "accepts": "both",
    "version": "1.4.2",
    "answered_at": "2026-11-29T17:00:09.120Z",
    "created_at": "2026-11-28T09:30:00.000Z",
}
FAULT: Final[dict[str, Any]] = {
    "id": 99,
    "version": "1.4.2",
    "game": GAME_ID,
    "seat": 1,
    "move_number": 6,
    "kind": "http_status",
    "at": "2026-11-29T17:00:09.120Z",
    "evidence": {
        "detail": "status 500 instead of 200",
        "request_id": "msg_0192…",
        "attempts": 2,
        "status": 500,
        "timings": {"queue_ms": 0.0, "first_byte_ms": 41.2, "last_byte_ms": 41.9},
        "body": "oh no",
        "bytes": 5,
        "sha256": "3f0a…",
        "asked": {"type": "turn"},
    },
}


def listed(item: dict[str, Any]) -> dict[str, Any]:
    """A page with this one item."""
    return {"results": [item], "next": None}
