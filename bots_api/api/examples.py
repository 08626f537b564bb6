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
    "suspended_for": None,
    "transport": "webhook",
    "url": "https://robo.example.org/housu",
    "description": "",
    "presets": ["table"],
    "concurrency": 8,
    "queue": {"out": 2, "waiting": 0},
    "accepts": {
        "who": "both",
        "casual": 4,
        "hours": {"from": "08:00", "to": "22:00", "zone": "Europe/Helsinki"},
    },
    "version": "1.4.2",
    "presence": None,
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
    "outage": 3,
    "away": False,
    "at": "2026-11-29T17:00:09.120Z",
    "test": "/api/v1/bots/4/faults/99/test.py",
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


TURN_LINE: Final[dict[str, Any]] = {
    "type": "turn",
    "protocol": 1,
    "request_id": "msg_0192…",
    "game": {"id": GAME_ID, "players": 2, "dealer": 1, "competition": "7"},
    "seat": 1,
    "move_number": 6,
    "view": {"hand": ["9C", "TD"]},
    "legal": ["P:9x1", "U"],
    "deadline_ms": 1000,
    "bank_ms": 28800,
    "last_rtt_ms": 41,
    "faults": 0,
    "reply_to": f"/api/v1/games/{GAME_ID}/moves",
    "deadline_at": "2026-11-29T17:00:38.170000Z",
    "cursor": 4711,
}
MESSAGES: Final[dict[str, Any]] = {"messages": [TURN_LINE], "cursor": 4711}


CHECK: Final[dict[str, Any]] = {
    "id": 12,
    "state": "failed",
    "version": "1.4.2",
    "steps": [
        {
            "step": "position: only the pile",
            "verdict": "failed",
            "detail": "The action is illegal: not_held.",
            "ms": 12.4,
            "status": 200,
            "bytes": 20,
            "asked": "curl -s https://robo.example.org/housu/move -H …",
        }
    ],
    "p50_ms": 11.9,
    "p95_ms": 14.2,
    "created_at": "2026-11-29T17:00:09.120Z",
    "finished_at": "2026-11-29T17:00:10.020Z",
}


FIGURES: Final[dict[str, Any]] = {
    "games": 212,
    "stand_ins": 1,
    "faults": 4,
    "answers": 5114,
    "p50_ms": 11.8,
    "p95_ms": 41.0,
    "latency": [{"below_ms": 15, "answers": 4600}, {"below_ms": 50, "answers": 514}],
}
VERSION: Final[dict[str, Any]] = {
    "version": "1.4.2",
    "author": "Aino",
    "presets": ["table"],
    "passed_check": True,
    "created_at": "2026-11-28T09:30:00.000Z",
    "figures": FIGURES,
}
NOTICE: Final[dict[str, Any]] = {
    "id": 3,
    "kind": "suspended",
    "text": "Your bot Robo is suspended: it did not answer three calls in a row. …",
    "facts": {"reason": "silence"},
    "created_at": "2026-11-29T17:00:09.120Z",
    "mailed_at": None,
}
SPARRING: Final[dict[str, Any]] = {
    "id": 21,
    "game": GAME_ID,
    "seat": 1,
    "preset": "table",
    "state": "over",
    "place": 2,
    "ending": "over",
    "faults": 0,
    "stand_in": False,
    "created_at": "2026-11-29T17:00:09.120Z",
}


def listed(item: dict[str, Any]) -> dict[str, Any]:
    """A page with this one item."""
    return {"results": [item], "next": None}
