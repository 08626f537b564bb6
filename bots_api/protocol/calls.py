"""What the service sends to bots, each with its reply and a real example: for OpenAPI and docs."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

from bots_api.protocol import positions, schemas
from bots_api.protocol.schemas import Schema

_GAME_ID: Final = "0192f0c1-2a3b-7c4d-8e5f-6a7b8c9d0e1f"
_REQUEST_ID: Final = "msg_0192f0c12a3b7c4d8e5f6a7b8c9d0e1f"
_SHOWN: Final = "face-down card"


class Sent(NamedTuple):
    """One kind of call. `message` is None where nothing but headers is sent."""

    name: str
    summary: str
    when: str
    method: str
    path: str
    message: Schema | None
    reply: Schema
    example: dict[str, Any] | None
    answer: dict[str, Any]


@cache
def sent() -> tuple[Sent, ...]:
    """All of them, in the order in which a bot meets them."""
    return (
        Sent(
            "handshake",
            "Say who you are",
            "Before the first turn and after a minute of silence, for up to 20 s, on no clock. "
            "A bot that connects out is asked by the first line of each connection.",
            "get",
            "",
            None,
            schemas.HANDSHAKE_REPLY,
            None,
            {"protocol": 1, "version": "1.4.2", "presets": ["table"], "concurrency": 8},
        ),
        Sent(
            "nonce",
            "Echo a nonce",
            "In a check, before its positions, which are sent as turns.",
            "post",
            "/move",
            schemas.NONCE,
            schemas.NONCE_REPLY,
            _message("nonce", nonce="5f0c1b"),
            {"nonce": "5f0c1b"},
        ),
        Sent(
            "game_start",
            "Hear of a game and give entropy",
            "Before the deal. Without an answer the game begins all the same.",
            "post",
            "/move",
            schemas.GAME_START,
            schemas.ENTROPY,
            _message("game_start", game=_game(), seat=1, commitment="9f86d081" * 8),
            {"entropy": "q8Yt2Lw0"},
        ),
        Sent(
            "turn",
            "Choose an action",
            "At each of your decisions, also when one action is legal. Without a usable answer "
            "within `deadline_ms` + `bank_ms` a default action is played and a fault kept.",
            "post",
            "/move",
            schemas.TURN,
            schemas.ACTION,
            _turn(),
            {"action": "B:0", "note": "Only luck helps here."},
        ),
        Sent(
            "game_end",
            "Hear how a game ended",
            "After the last action, or when the game is called off; whether it was heard is of no "
            "consequence.",
            "post",
            "/move",
            schemas.GAME_END,
            schemas.NOTHING,
            _message(
                "game_end", game={"id": _GAME_ID}, seat=1, places=[[1], [0], [2]], reason="over"
            ),
            {},
        ),
    )


def _message(kind: str, **members: Any) -> dict[str, Any]:
    return {"type": kind, "protocol": 1, "request_id": _REQUEST_ID, **members}


def _turn() -> dict[str, Any]:
    [shown] = [one["message"] for one in positions.document() if one["name"] == _SHOWN]
    return {**_message("turn"), **shown, "last_rtt_ms": 41}


def _game() -> dict[str, Any]:
    return {**_turn()["game"], "id": _GAME_ID}
