"""R11: what a viewer may not know changes no byte of what he gets, over every channel; and if it
did, it would be found: ten leaks are planted, one after the other, and each is caught.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
import structlog

from config.kit import etag
from games import looking
from games.api import play
from games.driver import live
from games.engine import PRESETS, Game, card_text
from games.errors import StaleMoveError
from games.models import Player
from games.pages import shown
from games.queries import objects
from games.queries.played import Played
from games.services import moves
from tests.games import cast, twins

pytestmark = pytest.mark.django_db(transaction=True)

PLIES = 9


def differences(game_id: UUID, people: list[Player], viewer: int | None) -> list[str]:
    """The channels in which the game and its twin differ for this viewer."""
    game, row = cast.engine_game(game_id), cast.row(game_id)
    deck, actions = twins.twin_of(game, viewer, bytes(row.actions))
    player = None if viewer is None else people[viewer]
    one = twins.everything(game_id, player, viewer)
    with twins.swapped(game_id, deck, actions):
        assert cast.engine_game(game_id).hands != game.hands
        other = twins.everything(game_id, player, viewer)
    return twins.differences(one, other)


def dealt(preset: str) -> tuple[UUID, list[Player]]:
    game_id, people = cast.dealt(3, preset)
    for _ in range(PLIES):
        cast.play_default(game_id)
    return game_id, people


@pytest.mark.parametrize("preset", sorted(PRESETS))
@pytest.mark.parametrize("viewer", [None, 0])
def test_hidden_cards_change_nothing_that_a_viewer_gets(preset: str, viewer: int | None) -> None:
    game_id, people = dealt(preset)
    assert differences(game_id, people, viewer) == []


# Ten leaks. Each is planted in the running service by wrapping one function of it.


def secret(game: Game) -> str:
    """What nobody at the table knows whole: all hands."""
    return "|".join(
        " ".join(card_text(card) for card in game.deck if game.hands[seat] >> card & 1)
        for seat in range(game.players)
    )


def after(plant: pytest.MonkeyPatch, where: object, name: str, change: Callable[..., Any]) -> None:
    """Let a function's result be changed by what it was given."""
    function: Callable[..., Any] = getattr(where, name)
    plant.setattr(
        where, name, lambda *args, **more: change(function(*args, **more), *args, *more.values())
    )


Plant = Callable[[pytest.MonkeyPatch], None]


def a_field_of_the_view(plant: pytest.MonkeyPatch) -> None:
    leak = lambda wire, game, *_: {**wire, "debug": secret(game)}  # noqa: E731
    after(plant, objects, "wire_view", leak)


def a_number_that_is_there_anyway(plant: pytest.MonkeyPatch) -> None:
    """No new field and nothing to read: only how much time is left follows the hands."""

    def leak(wire: dict[str, Any], played: Played, *_: object) -> dict[str, Any]:
        assert played.game is not None
        more = int.from_bytes(hashlib.sha256(secret(played.game).encode()).digest()[:4], "big")
        return {**wire, "bank_ms": wire["bank_ms"] + more}

    after(plant, looking, "game_wire", leak)


def the_tag_of_the_whole_state(plant: pytest.MonkeyPatch) -> None:
    def leak(look: looking.Look, played: Played, _: object) -> looking.Look:
        assert played.game is not None
        return look._replace(tag=etag.tag_of(secret(played.game).encode()))

    after(plant, looking, "_rendered", leak)


def an_event_told_with_its_cards(plant: pytest.MonkeyPatch) -> None:
    def leak(events: list[dict[str, Any]], game: Game, *_: object) -> list[dict[str, Any]]:
        return [{**event, "cards": secret(game)} for event in events]

    after(plant, play, "numbered", leak)


def the_number_of_an_event(plant: pytest.MonkeyPatch) -> None:
    def leak(events: list[dict[str, Any]], game: Game, *_: object) -> list[dict[str, Any]]:
        moved = int.from_bytes(hashlib.sha256(secret(game).encode()).digest()[:4], "big")
        return [{**event, "number": event["number"] + moved} for event in events]

    after(plant, play, "numbered", leak)


def a_sentence_of_an_error(plant: pytest.MonkeyPatch) -> None:
    def act(game_id: UUID, *_: object) -> None:
        raise StaleMoveError(f"They hold {secret(cast.engine_game(game_id))}.")

    plant.setattr(moves, "act", act)


def a_header(plant: pytest.MonkeyPatch) -> None:
    def leak(response: Any, _: object, request: Any, game_id: UUID) -> Any:
        response["X-Debug"] = secret(cast.engine_game(game_id))
        return response

    after(plant, play.OneGame, "get", leak)


def an_attribute_of_the_page(plant: pytest.MonkeyPatch) -> None:
    def leak(context: dict[str, Any], played: Played, *_: object) -> dict[str, Any]:
        assert played.game is not None
        seats = [{**seat, "name": secret(played.game)} for seat in context["seats"]]
        return {**context, "seats": seats}

    after(plant, shown, "table", leak)


def a_line_of_the_log(plant: pytest.MonkeyPatch) -> None:
    def leak(played: Played, *_: object) -> Played:
        assert played.game is not None
        structlog.get_logger("games").info("looked", hands=secret(played.game))
        return played

    after(plant, play, "look", leak)


def a_turn_put_to_a_bot(plant: pytest.MonkeyPatch) -> None:
    leak = lambda wire, game, *_: {**wire, "stock_top": secret(game)}  # noqa: E731
    after(plant, live, "wire_view", leak)


LEAKS: dict[Plant, str] = {
    a_field_of_the_view: "GET ",
    a_number_that_is_there_anyway: "GET ",
    the_tag_of_the_whole_state: "GET ",
    an_event_told_with_its_cards: "GET /events",
    the_number_of_an_event: "GET /events",
    a_sentence_of_an_error: "move U",
    a_header: "GET ",
    an_attribute_of_the_page: "page",
    a_line_of_the_log: "log",
    a_turn_put_to_a_bot: "call",
}


@pytest.mark.parametrize("plant", LEAKS, ids=lambda plant: plant.__name__)
def test_a_planted_leak_is_caught(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    game_id, people = dealt("table")
    plant(monkeypatch)
    assert LEAKS[plant] in differences(game_id, people, 0)
