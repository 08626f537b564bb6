"""The messages to bots as JSON Schema: for authors, and for the API's description.

Members may be added to messages later; those named here stay. Every member says what it is: the
reference in docs/bots-reference.md is written from here.
"""

from __future__ import annotations

from typing import Any, Final

from games.engine.events import Kind

_TEXT: Final = {"type": "string"}
_COUNT: Final = {"type": "integer", "minimum": 0}
_SEAT: Final = {"type": "integer", "minimum": 0, "maximum": 5}
_CARD: Final = {"type": "string", "pattern": "^([2-9TJQKA][CDHS]|\\*[1-9])"}
_RANK: Final = {"type": "string", "pattern": "^[2-9TJQKA*]$"}

Schema = dict[str, Any]


def _told(schema: Schema, description: str, **more: Any) -> Schema:
    return {**schema, "description": description, **more}


def _list(items: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": items, **more}


def _object(required: Schema, description: str = "", **optional: Any) -> Schema:
    made = {"type": "object", "required": list(required), "properties": {**required, **optional}}
    return {**made, "description": description} if description else made


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


_RULES: Final = _object(
    {
        "preset": _told(_or_null(_TEXT), "The preset that they come from."),
        "options": {"type": "object", "description": "What differs from the preset."},
        "hash": _told(_TEXT, "Of the rules card: the same rules, the same hash."),
    },
    "The rules of this game.",
)
_GAME: Final = _object(
    {
        "id": {"type": "string", "format": "uuid", "description": "The same in all its messages."},
        "rules": _RULES,
        "players": {"type": "integer", "minimum": 2, "maximum": 6, "description": "Seats."},
        "dealer": _told(_SEAT, "The dealer's seat."),
        "competition": _told(_or_null(_TEXT), "Its number; null in a casual game."),
    },
    "The game that it is about.",
)
_EVENT: Final = _object(
    {
        "ply": _told(_COUNT, "The action that brought it about; 0: the deal."),
        "event": {"enum": ["deal", *map(str, Kind)], "description": "What happened."},
    },
    "One thing that happened. What does not apply, or this seat may not know, is left out.",
    seat=_told(_SEAT, "Who acted; of `fed` and `truth` who took the pile, of `lie` the liar too."),
    count=_told(_COUNT, "Number of cards laid, drawn or taken into a hand."),
    cards=_list(_CARD, description="Cards laid, turned over, given, drawn, picked up, shown."),
    taken=_list(_CARD, description="Cards taken beside: from the row in a swap, from the pile."),
    rank=_told(_RANK, "The rank that a claim names."),
    cause=_told(_TEXT, "Why the pile fell."),
    slot=_told(_COUNT, "The face-down slot."),
    up=_list(_list(_CARD), description="Of `deal`: face-up rows, by seat."),
    stock=_told(_COUNT, "Of `deal`: cards in the stock."),
)
_VIEW: Final = _object(
    {
        "seat": _told(_or_null(_SEAT), "Whose view it is: yours."),
        "phase": {"enum": ["swap", "play", "respond", "over"], "description": "Of the round."},
        "turn": _told(_or_null(_SEAT), "Whose turn it is in the round."),
        "to_act": _list(_SEAT, description="Seats that are asked now, each unseen by the others."),
        "ply": _told(_COUNT, "Actions so far."),
        "dealer": _told(_SEAT, "The dealer's seat."),
        "players": _told(_COUNT, "Seats."),
        "stock": _told(_COUNT, "Cards in the stock."),
        "hand": _told(_or_null(_list(_CARD)), "Your cards, in canonical order."),
        "hands": _list(_COUNT, description="Cards in each hand, by seat."),
        "up": _list(_list(_CARD), description="Face-up rows, by seat."),
        "down": _list(
            _list({"type": "boolean"}), description="By seat and slot: whether a card is there."
        ),
        "pile": _list(_or_null(_CARD), description="From the bottom; null: under a claim."),
        "claims": _told(
            _or_null(_list(_RANK)), "Bluff games: the named rank of each card of the pile."
        ),
        "top": _told(_or_null(_RANK), "The rank that the next lay is judged against."),
        "fallen": {
            "type": "object",
            "additionalProperties": _COUNT,
            "description": "Cards out of the game, by rank; bluff games: those all have seen.",
        },
        "fallen_unseen": _told(_COUNT, "Bluff games: cards out of the game that not all saw."),
        "out": _list(_list(_SEAT), description="Seats that are out, in finishing order."),
        "places": _told(_or_null(_list(_list(_SEAT))), "The order of all, once it is over."),
        "ending": _told(_or_null(_TEXT), "How it ended, once it is over."),
        "drawn": {"type": "boolean", "description": "Whether you have drawn before this play."},
        "events": _list(_EVENT, description="What happened since your last decision."),
    },
    "What your seat may know: the same that the API and the pages show it.",
)


def _message(kind: str, members: Schema, description: str) -> Schema:
    fixed = {
        "type": {"const": kind, "description": "Tells the messages apart."},
        "protocol": {"const": 1, "description": "The version of these messages."},
        "request_id": _told(_TEXT, "Of this message; the same when it is sent again."),
    }
    return _object({**fixed, **members}, description)


TURN: Final = _message(
    "turn",
    {
        "game": _GAME,
        "seat": _told(_SEAT, "Your seat."),
        "move_number": {
            "type": "integer",
            "minimum": 1,
            "description": "Of your decisions in this game, from 1.",
        },
        "view": _VIEW,
        "legal": _list(
            _TEXT, minItems=1, description="What you may do; `S`, `B` and `C:` want more: below."
        ),
        "deadline_ms": _told(_COUNT, "Time for the answer that costs nothing."),
        "bank_ms": _told(_COUNT, "Time beyond it that is left for the whole game."),
        "last_rtt_ms": _told(_or_null(_COUNT), "How long your last answer took, seen from here."),
        "faults": _told(_COUNT, "Yours in this game so far; after the third a stand-in plays on."),
    },
    "A decision. It holds everything that the seat may know.",
)
GAME_START: Final = _message(
    "game_start",
    {
        "game": _GAME,
        "seat": _told(_SEAT, "Your seat."),
        "commitment": _told(_TEXT, "SHA-256 of the seed that the deck will come from."),
    },
    "A game that is about to be dealt.",
)
GAME_END: Final = _message(
    "game_end",
    {
        "game": _object({"id": _told(_TEXT, "The game's id.")}, "The game that is over."),
        "seat": _told(_SEAT, "Your seat."),
        "places": _list(
            _list(_SEAT), description="Finishing order, shared places together; empty if voided."
        ),
        "reason": {
            "enum": ["over", "voided"],
            "description": "`voided`: called off, it counts for nobody.",
        },
    },
    "A game is over.",
)
NONCE: Final = _message(
    "nonce", {"nonce": _told(_TEXT, "To be said back.")}, "The first question of a check."
)

HANDSHAKE_REPLY: Final = _object(
    {
        "protocol": {"const": 1, "description": "The version of these messages."},
        "version": {
            "type": "string",
            "minLength": 1,
            "maxLength": 60,
            "description": "A new text is a new version, with ratings and figures of its own.",
        },
    },
    "What a bot says of itself.",
    author=_told(_TEXT, "Shown beside the bot."),
    presets=_list(_TEXT, description="The presets that it plays."),
    concurrency={
        "type": "integer",
        "minimum": 1,
        "maximum": 64,
        "description": "How many turns it answers at once.",
    },
)
ACTION: Final = _object(
    {
        "action": {
            "type": "string",
            "minLength": 1,
            "maxLength": 300,
            "description": "One of `legal`, made whole where it wants more.",
        }
    },
    "Your choice.",
    note={
        "type": "string",
        "maxLength": 256,
        "description": "Shown in the replay after the game.",
    },
)
ENTROPY: Final = _object(
    {},
    "What you give to the shuffle.",
    entropy={
        "type": "string",
        "description": "At most 64 bytes that go into the shuffle, so that nobody can arrange it.",
    },
)
NOTHING: Final = _object({}, "Nothing is read from it.")
NONCE_REPLY: Final = _object({"nonce": _told(_TEXT, "The same text.")}, "The echo.")

TURN_SCHEMA: Final = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A turn of a Housuliiga bot",
    **TURN,
}
