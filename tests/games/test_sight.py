"""What watchers see late or not at all: of rated bot games, and of decks still in play."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.test import Client

from games.engine import PRESETS, rules_from, shuffled_deck
from games.engine import Game as EngineGame
from games.models import Deck, Game, Seat
from games.queries.sight import one_lap_ago
from tests.games import cast
from tests.games.api.client import Api

pytestmark = pytest.mark.django_db(transaction=True)


def bot_game(plies: int, **changes: object) -> UUID:
    """A game of three in play, whose row says that no person sits there."""
    game_id, _ = cast.dealt(3, "classic")
    for _ in range(plies):
        cast.play_default(game_id)
    Game.objects.filter(pk=game_id).update(kind=Game.Kind.DRIVEN, rated=True, **changes)
    return game_id


def seen(game_id: UUID, api: Api) -> tuple[int, int]:
    """The ply of the view, and of the last event."""
    view = api.get(f"/games/{game_id}")["view"]
    return view["ply"], api.get(f"/games/{game_id}/events")["events"][-1]["ply"]


def test_a_watcher_of_a_rated_bot_game_is_one_lap_behind() -> None:
    game_id = bot_game(9)
    assert seen(game_id, Api()) == (6, 6)
    text = Client().get(f"/g/{game_id}/").content.decode()
    assert "ply 6<" in text


def test_a_seat_of_a_rated_bot_game_sees_it_as_it_stands() -> None:
    game_id = bot_game(9)
    player = Seat.objects.get(game=game_id, index=1).player
    assert player is not None
    assert seen(game_id, Api(player)) == (9, 9)


def test_banks_and_deadlines_tell_a_late_watcher_nothing_newer() -> None:
    game_id = bot_game(9)
    before = Api().get(f"/games/{game_id}")
    Seat.objects.filter(game=game_id).update(bank_ms=1)
    assert Api().get(f"/games/{game_id}") == before
    assert before["deadline_at"] is None


def test_tables_of_people_and_unrated_games_are_seen_at_once() -> None:
    game_id = bot_game(5)
    for changes in ({"rated": False}, {"rated": True, "kind": Game.Kind.EVENTED}):
        Game.objects.filter(pk=game_id).update(**changes)
        assert seen(game_id, Api()) == (5, 5)


def test_a_bot_game_that_is_over_is_seen_whole() -> None:
    game_id, _ = cast.dealt(3, "classic", max_plies=100)
    over = cast.play_out(game_id)
    Game.objects.filter(pk=game_id).update(kind=Game.Kind.DRIVEN, rated=True)
    assert seen(game_id, Api()) == (over.ply, over.ply)


def test_of_a_deck_in_play_elsewhere_only_the_seats_see_cards() -> None:
    game_id, people = cast.dealt(2, "classic", max_plies=100)
    Deck.objects.filter(games=game_id).update(games_planned=2)
    for _ in range(3):
        cast.play_default(game_id)
    assert seen(game_id, Api(people[0])) == (3, 3)
    shows_nothing(game_id)
    over = cast.play_out(game_id)
    shows_nothing(game_id)
    assert seen(game_id, Api(people[0]))[0] == over.ply
    Deck.objects.filter(games=game_id).update(games_over=2, state=Deck.State.OVER)
    assert seen(game_id, Api())[0] == over.ply


def shows_nothing(game_id: UUID) -> None:
    api = Api()
    assert api.get(f"/games/{game_id}")["view"] is None
    assert api.get(f"/games/{game_id}/events")["events"] == []
    assert api.get(f"/games/{game_id}/record")["code"] == "deck_in_play"
    for query in ("", "?ply=1", "?ply=0"):
        page = Client().get(f"/g/{game_id}/{query}").content.decode()
        assert 'class="card' not in page and "Before the deal" not in page


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_the_delay_is_a_lap_of_those_still_in_and_never_goes_back(preset: str) -> None:
    rules = rules_from(preset)
    game = EngineGame(rules, 4, 0, shuffled_deck(bytes(32), 2, rules.jokers))
    shown, still_in = 0, [4]
    while game.ending is None:
        seat = game.to_act()[0]
        game.play(seat, game.default_action(seat))
        still_in.append(game.players - sum(map(len, game.places)))
        ply = one_lap_ago(game)
        assert shown <= ply <= game.ply
        assert ply == 0 or ply + still_in[ply] <= game.ply
        assert ply + 1 + still_in[min(ply + 1, game.ply)] > game.ply
        shown = ply
