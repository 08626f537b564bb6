"""The messages that bots get (bots.md, "A turn"): the same for every transport.

A message names neither deck nor table, and says of the game what the one view function says.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

import orjson

from config.kit.ids import hex7
from games.agents import GameEnd, GameStart, Turn
from games.engine import Rules
from games.queries.rules_cards import rules_wire

PROTOCOL = 1
MAX_MESSAGE = 64 * 1024


class Message(NamedTuple):
    """One message under its id; `body` is what is signed and sent."""

    request_id: str
    body: bytes

    @property
    def shown(self) -> Any:
        """The message as JSON, for the evidence."""
        return json.loads(self.body)


def turn_message(turn: Turn, last_rtt_ms: int | None) -> Message:
    """The question for one decision; the oldest events give way if it would be over 64 KiB."""
    view = dict(turn.wire)
    while True:
        message = _message(
            "turn",
            _game(turn.game_id, turn.rules, turn.players, turn.dealer, turn.competition),
            seat=turn.seat,
            move_number=turn.move_number,
            view=view,
            legal=turn.legal,
            deadline_ms=turn.deadline_ms,
            bank_ms=turn.bank_ms,
            last_rtt_ms=last_rtt_ms,
            faults=turn.faults,
        )
        if len(message.body) <= MAX_MESSAGE or not view["events"]:
            return message
        view["events"] = view["events"][len(view["events"]) // 2 + 1 :]


def start_message(start: GameStart) -> Message:
    """A game that is about to be dealt; the reply may give entropy for the shuffle."""
    return _message(
        "game_start",
        _game(start.game_id, start.rules, start.players, start.dealer, start.competition),
        seat=start.seat,
        commitment=start.commitment.hex(),
    )


def end_message(end: GameEnd) -> Message:
    """The finishing order of a game, shared places together; none if it was called off."""
    return _message(
        "game_end",
        orjson.dumps({"id": str(end.game_id)}),
        seat=end.seat,
        places=end.places,
        reason="voided" if end.voided else "over",
    )


def nonce_message(nonce: str) -> Message:
    """Of a check: to be answered with the same text."""
    return _message("nonce", nonce=nonce)


def full_message(turn: Turn) -> Message:
    """A turn that is as long as any can be: events are repeated up to 64 KiB."""
    events = list(turn.wire["events"]) or [{"event": "pass", "seat": turn.seat}]
    longest = turn_message(turn, None)
    while True:
        events += events
        message = turn_message(turn._replace(wire={**turn.wire, "events": events}), None)
        if len(message.body) <= len(longest.body):
            return longest
        longest = message


def handshake_message() -> Message:
    """The waking call has no body; its id is signed all the same."""
    return Message(_new_id(), b"")


def handshake_line() -> Message:
    """The same question for a bot that is not called but connects: who are you?"""
    return _message("handshake")


def _message(kind: str, game: bytes = b"", **parts: object) -> Message:
    """`game` is JSON already, and stands before the other parts."""
    request_id = _new_id()
    head = f'{{"type":"{kind}","protocol":{PROTOCOL},"request_id":"{request_id}"'.encode()
    told = b',"game":' + game if game else b""
    rest = (b"," if parts else b"") + orjson.dumps(parts)[1:]
    return Message(request_id, b"".join((head, told, rest)))


@lru_cache(maxsize=1024)
def _game(game_id: UUID, rules: Rules, players: int, dealer: int, competition: str | None) -> bytes:
    """What all messages of a game say of it, written once."""
    return orjson.dumps(
        {
            "id": str(game_id),
            "rules": rules_wire(rules),
            "players": players,
            "dealer": dealer,
            "competition": competition,
        }
    )


def _new_id() -> str:
    return f"msg_{hex7()}"
