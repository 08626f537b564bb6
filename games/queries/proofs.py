"""Records and proofs of finished games (records.md), once the deck's gate is open."""

from __future__ import annotations

import json
from typing import Any

from games.engine import verify_lines
from games.errors import DeckInPlayError
from games.models import By, Game
from games.queries import clocks, replays
from games.queries.played import Played


def record_wire(played: Played) -> dict[str, Any]:
    """The game's record. Raises `DeckInPlayError` while its deck is in play anywhere."""
    row = _open(played)
    return replays.told(replays.start_of(row), bytes(row.actions), _tags(played)).to_json()


def proof_wire(played: Played) -> dict[str, Any]:
    """The game's proof. Raises `DeckInPlayError`."""
    row = _open(played)
    deck = row.deck
    return {
        "format": "paskahousu-proof",
        "version": 1,
        "record": record_wire(played),
        "deck_id": deck.deck_id,
        "commitment": bytes(deck.commitment).hex(),
        "server_seed": bytes(deck.server_seed).hex(),
        "entropies": deck.entropies,
        # Games of house bots take no time: their chain has null for it.
        "at_ms": clocks.unpacked(bytes(row.at_ms), row.ply) or [None] * row.ply,
        "by": [By(code).word for code in bytes(row.by)],
        "head": bytes(row.head).hex(),
    }


def verdict(played: Played) -> dict[str, Any]:
    """What the verifier says of the game's proof. Raises `DeckInPlayError`."""
    (told,) = verify_lines(json.dumps(proof_wire(played)))
    return {key: value for key, value in told.items() if key != "record"}


def _open(played: Played) -> Game:
    row = played.row
    if not row.deck.gate_open or row.deck.deal_seed is None:
        raise DeckInPlayError("Cards are shown when every game from this deck is over.")
    return row


def _tags(played: Played) -> dict[str, Any]:
    names = [seat.player.name if seat.player is not None else None for seat in played.seats]
    began = played.row.started_at
    tags = {"names": names, "date": f"{began:%Y-%m-%d}" if began else None}
    resigned = played.row.resigned
    return tags if resigned is None else {**tags, "resigned": resigned}
