"""What is sent and what the schemas say are the same, member by member."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings
from jsonschema import Draft202012Validator

from bots_api.protocol import messages, positions, schemas
from bots_api.protocol.reference import reference
from games.agents import GameEnd, GameStart
from games.engine import PRESETS, Game, packs_needed, recent_events, rules_from, shuffled_deck, view

GAME = UUID(int=7)


def closed(schema: Any) -> Any:
    """The same schema, which allows no member that it does not name."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    shut = {key: closed(value) for key, value in schema.items()}
    return {**shut, "additionalProperties": False} if "properties" in schema else shut


def test_every_member_of_a_turn_is_described() -> None:
    validator = Draft202012Validator(closed(schemas.TURN))
    for position in positions.POSITIONS:
        validator.validate(messages.turn_message(positions.turn_of(position), 41).shown)


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_view_and_event_of_a_whole_game_is_described(preset: str) -> None:
    validator = Draft202012Validator(closed(schemas.TURN["properties"]["view"]))
    rules = rules_from(preset)
    packs, _ = packs_needed(rules, 4)
    game = Game(rules, 4, 0, shuffled_deck(hashlib.sha256(b"7").digest(), packs, rules.jokers))
    while game.ending is None:
        seat = next(iter(game.to_act()))
        validator.validate({**view(game, seat).wire(), "events": recent_events(game, seat)})
        game.play(seat, game.default_action(seat))


def test_every_member_of_the_other_messages_is_described() -> None:
    rules = rules_from("table")
    start = GameStart(GAME, rules, 3, 0, 1, bytes(32), "7")
    end = GameEnd(GAME, 1, ((1,), (0, 2)))
    for message, schema in (
        (messages.start_message(start), schemas.GAME_START),
        (messages.end_message(end), schemas.GAME_END),
        (messages.nonce_message("n"), schemas.NONCE),
    ):
        Draft202012Validator(closed(schema)).validate(message.shown)


def test_everything_is_told_in_words() -> None:
    def untold(schema: Any, path: str) -> list[str]:
        parts = schema.get("properties", {})
        here = [f"{path}.{name}" for name, part in parts.items() if "description" not in part]
        return here + [
            one for name, part in parts.items() for one in untold(part, f"{path}.{name}")
        ]

    for schema in (schemas.TURN, schemas.GAME_START, schemas.GAME_END, schemas.HANDSHAKE_REPLY):
        assert untold(schema, "") == []


def test_the_reference_is_what_the_schemas_say() -> None:
    written = (Path(settings.BASE_DIR) / "docs" / "bots-reference.md").read_text()
    assert written == reference(), "write it anew: manage.py reference"
