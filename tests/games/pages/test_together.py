"""Meeting and parting by forms alone: quick game, invitation, resigning, rematch."""

from __future__ import annotations

import re
from uuid import UUID

import pytest
from django.test import Client

from games.models import Game, Player, Seat
from games.services import quick
from tests.games import cast
from tests.games.pages.test_table import guest, page

pytestmark = pytest.mark.django_db(transaction=True)


def went_to(client: Client, path: str, **form: str) -> UUID:
    answer = client.post(path, form)
    assert answer.status_code == 302, answer.content
    return UUID(answer["Location"].strip("/").split("/")[-1])


def test_two_browsers_meet_in_a_quick_game() -> None:
    aino, bertil = Client(), Client()
    form = {"preset": "classic", "players": "2", "entropy": "x"}
    game_id = went_to(aino, "/games/quick", name="Aino", **form)
    assert went_to(bertil, "/games/quick", name="Bertil", **form) == game_id
    assert cast.row(game_id).state == Game.State.PLAYING
    assert 'class="table"' in page(aino, game_id)


def test_a_private_table_is_reached_by_its_address_alone() -> None:
    aino, game_id = guest("Aino", preset="table", visibility="private")
    address = re.search(r"/j/(\w+)/", page(aino, game_id))
    assert address is not None
    bertil = Client()
    assert bertil.get(f"/g/{game_id}/").status_code == 404
    assert bertil.post(f"/g/{game_id}/sit", {"name": "Bertil"}).status_code == 302
    assert Seat.objects.get(game=game_id, index=1).player is None
    assert b"Aino" in bertil.get(address[0]).content
    assert went_to(bertil, address[0] + "sit") == game_id
    assert Seat.objects.get(game=game_id, index=1).player is not None
    assert bertil.get("/j/unknown/").status_code == 404


def test_a_seat_is_kept_for_a_player_by_number_and_he_may_decline() -> None:
    aino, game_id = guest("Aino", preset="table", visibility="private")
    bertil, _ = guest("Bertil", preset="table")
    number = Player.objects.get(name="Bertil").pk
    aino.post(f"/g/{game_id}/invite", {"player": str(number)})
    text = page(bertil, game_id)
    assert "kept for Bertil" in text and "Decline" in text
    assert str(game_id) in bertil.get("/games/").content.decode()
    bertil.post(f"/g/{game_id}/stand-up")
    assert bertil.get(f"/g/{game_id}/").status_code == 404
    aino.post(f"/g/{game_id}/invite", {"player": "9" * 30})
    assert "number of a player" in page(aino, game_id)


def test_one_resigns_only_with_the_box_ticked_and_asks_for_a_rematch_after() -> None:
    aino, game_id = guest("Aino", preset="table")
    bertil, _ = guest("Bertil", game_id)
    for client in (aino, bertil):
        client.post(f"/g/{game_id}/ready")
    aino.post(f"/g/{game_id}/resign")
    assert cast.row(game_id).state == Game.State.PLAYING
    aino.post(f"/g/{game_id}/resign", {"sure": "yes"})
    text = page(bertil, game_id)
    assert "Aino gives up" in text and "<strong>Aino</strong>" in text
    assert "Rematch" in text and "Resign" not in text
    again = went_to(bertil, f"/g/{game_id}/rematch")
    assert "To the rematch" in page(aino, game_id)
    assert went_to(aino, f"/g/{game_id}/rematch") == again
    assert "I am ready" in page(aino, again)
    assert "Rematch" not in page(Client(), game_id)


def test_the_list_is_filtered_by_a_form() -> None:
    guest("Aino", preset="table", seats="3")
    guest("Bertil", preset="classic", move_days="2")
    for query, names in (("preset=table", "Aino"), ("pace=days", "Bertil"), ("players=3", "Aino")):
        text = Client().get(f"/games/?{query}").content.decode()
        assert [name for name in ("Aino", "Bertil") if f"{name}, free" in text] == [names]
    assert Client().get("/games/?preset=x&players=x&pace=x").status_code == 200


def test_a_quick_game_waits_on_its_page_for_the_house_bots() -> None:
    aino = Client()
    game_id = went_to(aino, "/games/quick", name="Aino", preset="table", players="3")
    assert "Waiting for the others" in page(aino, game_id)
    Game.objects.filter(pk=game_id).update(fill_at="2026-01-01T00:00:00Z")
    quick.fill(game_id)
    assert "cautious" in page(aino, game_id)
