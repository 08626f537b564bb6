"""The pages of a game, with forms alone: no JavaScript runs in any of these."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from games.engine import HOUSE_RULES, PRESETS, rules_from
from games.models import Game, RulesCard
from games.services import moves
from games.services.rules_cards import stored
from tests.games import cast

pytestmark = pytest.mark.django_db(transaction=True)


def guest(name: str, game_id: UUID | None = None, **form: str) -> tuple[Client, UUID]:
    """A browser whose player has made a game, or sat down at one."""
    client = Client()
    if game_id is None:
        answer = client.post("/games/new", {"name": name, **form})
        assert answer.status_code == 302, answer.content
        return client, UUID(answer["Location"].strip("/").split("/")[-1])
    client.post(f"/g/{game_id}/sit", {"name": name})
    return client, game_id


def page(client: Client, game_id: UUID, query: str = "") -> str:
    answer = client.get(f"/g/{game_id}/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def press(client: Client, game_id: UUID, text: str) -> Any:
    """Press the first button of the move forms, or send the swap form as it is."""
    number = re.search(r'name="move_number" value="(\d+)"', text)
    button = re.search(r'<button name="action" value="([^"]+)"', text)
    assert number is not None
    form = {"action": button[1]} if button else {"kind": "swap"}
    return client.post(f"/g/{game_id}/move", {"move_number": number[1], **form})


def test_two_guests_play_by_forms_until_somebody_is_the_paskahousu() -> None:
    aino, game_id = guest("Aino", preset="table")
    bertil, _ = guest("Bertil", game_id)
    Game.objects.filter(pk=game_id).update(rules=_short_rules())
    for client in (aino, bertil):
        client.post(f"/g/{game_id}/ready", {"entropy": "x"})
    while cast.row(game_id).state == Game.State.PLAYING:
        for client in (aino, bertil):
            text = page(client, game_id)
            if 'id="move"' in text:
                press(client, game_id, text)
    text = page(Client(), game_id)
    assert "Paskahousu" in text or "share the loss" in text
    assert 'href="?ply=0"' in text


def test_a_finished_game_can_be_stepped_through() -> None:
    game_id, _ = cast.dealt(2, "classic", max_plies=100)
    over = cast.play_out(game_id)
    first, last = page(Client(), game_id, "?ply=0"), page(Client(), game_id, f"?ply={over.ply}")
    assert "ply 0<" in first and f"ply {over.ply}<" in last
    assert page(Client(), game_id, "?ply=99999999999999999999") == page(Client(), game_id)


def test_a_running_game_can_not_be_stepped_through() -> None:
    game_id, _ = cast.dealt(2, "classic")
    cast.play_default(game_id)
    assert "ply 1<" in page(Client(), game_id, "?ply=0")


def test_a_refusal_is_said_on_the_table() -> None:
    aino, game_id = guest("Aino", preset="classic", bot="lowest")
    aino.post(f"/g/{game_id}/ready")
    seat = 0
    if 0 not in cast.engine_game(game_id).to_act():
        seat = 1
        game = cast.engine_game(game_id)
        moves.act_seat(game_id, 1, 1, game.default_action(1), moves.How())
    number = cast.engine_game(game_id).move_number(0)
    aino.post(f"/g/{game_id}/move", {"move_number": str(number), "action": "P:3C3D4S"})
    text = page(aino, game_id)
    assert "refuse" in text and 'class="notice error"' in text, seat


def test_no_page_needs_inline_scripts_or_styles() -> None:
    aino, game_id = guest("Aino", preset="table", bot="lowest")
    aino.post(f"/g/{game_id}/ready")
    for address in ("/games/", f"/g/{game_id}/", "/no-such-page"):
        answer = aino.get(address)
        text = answer.content.decode()
        assert "style=" not in text and "<style" not in text
        assert not re.search(r"<script(?![^>]*\bsrc=)", text) and not re.search(r"\son\w+=", text)
        assert "default-src 'self'" in answer["Content-Security-Policy"]


def test_an_outsider_finds_no_private_game() -> None:
    _, game_id = guest("Aino", preset="table")
    Game.objects.filter(pk=game_id).update(visibility=Game.Visibility.PRIVATE)
    answer = Client().get(f"/g/{game_id}/")
    assert answer.status_code == 404
    assert "text/html" in answer["Content-Type"]


def _short_rules() -> RulesCard:

    return stored(rules_from("table", {"max_plies": 100}))


def test_the_rules_page_shows_every_preset_and_house_rule() -> None:
    text = Client().get("/rules/").content.decode()
    assert all(name in text for name in (*PRESETS, *HOUSE_RULES))
