"""One game over the API: from the first request to the proof, and every refusal with its code."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.kit.models import Receipt
from games.engine import parse_record, replay, rules_from
from games.models import Game, Player, Seat
from games.services import lobby
from games.services.lobby import Plan
from tests.games import cast
from tests.games.api.client import Api

pytestmark = pytest.mark.django_db(transaction=True)


def test_from_nothing_to_a_proof_by_api_alone() -> None:
    aino, bertil = Api(), Api()
    for api, name in ((aino, "Aino"), (bertil, "Bertil")):
        api.headers["authorization"] = "Bearer " + api.post("/players", {"name": name})["token"]
    game = aino.post("/games", {"preset": "classic", "options": {"max_plies": 100}})
    assert (aino.status, game["state"], game["seat"]) == (201, "forming", 0)
    path = f"/games/{game['id']}"
    assert [g["id"] for g in aino.get("/games")["results"]] == [game["id"]]
    assert bertil.post(f"{path}/join", {})["seat"] == 1
    aino.post(f"{path}/ready", {"entropy": "rain"})
    assert bertil.post(f"{path}/ready", {})["state"] == "playing"
    while (view := aino.get(path))["state"] == "playing":
        api = (aino, bertil)[view["view"]["to_act"][0]]
        seen = api.get(path)
        action = _any_action(seen["legal"])
        assert api.move(game["id"], seen["move_number"], action)["action"]
    assert view["places"] is not None and view["head"] is not None
    record = parse_record(aino.get(f"{path}/record"))
    assert replay(record).ending is not None
    proof = aino.get(f"{path}/proof")
    assert (proof["commitment"], proof["head"]) == (game["commitment"], view["head"])
    assert proof["entropies"] == [[0, "rain"], [1, ""]]


def test_an_outsider_sees_the_public_view_and_the_seats_their_own() -> None:
    game_id, people = cast.dealt(2, "table")
    own, public = Api(people[0]).get(f"/games/{game_id}"), Api().get(f"/games/{game_id}")
    assert (own["seat"], len(own["view"]["hand"])) == (0, 5)
    assert (public["seat"], public["view"]["hand"], public["legal"]) == (None, None, [])


def test_a_private_game_is_not_there_for_outsiders() -> None:
    aino = cast.person("Aino")
    plan = Plan(rules_from("table"), ["", ""], visibility=Game.Visibility.PRIVATE)
    game_id = lobby.create_game(aino, plan).game_id
    for path in ("", "/events", "/record", "/proof", "/legal"):
        stranger = Api(cast.person("Cecilia"))
        assert stranger.get(f"/games/{game_id}{path}")["code"] == "game_not_found"
        assert stranger.status == 404
    stranger = Api(cast.person("Daniela"))
    for path, body in {
        "/join": {},
        "/leave": {},
        "/ready": {"entropy": "e"},
        "/moves": {"move_number": 1, "action": "U"},
    }.items():
        told = stranger.post(f"/games/{game_id}{path}", body)
        assert (stranger.status, told["code"]) == (404, "game_not_found"), path
    assert Api(aino).get(f"/games/{game_id}")["visibility"] == "private"
    assert Api().get("/games")["results"] == []


def test_an_unchanged_game_is_not_sent_again() -> None:
    game_id, people = cast.dealt(2, "table")
    api = Api(people[0])
    api.get(f"/games/{game_id}")
    tag = api.answer["ETag"]
    api.get(f"/games/{game_id}", **{"if-none-match": tag})
    assert (api.status, api.answer.content, api.answer["ETag"]) == (304, b"", tag)


def test_a_waiting_swap_changes_nothing_that_others_get() -> None:
    game_id, people = cast.dealt(3, "table")
    other, public = Api(people[1]), Api()
    paths = [f"/games/{game_id}", f"/games/{game_id}/events", f"/games/{game_id}/legal"]

    def seen() -> list[object]:
        return [(other.get(path), public.get(path)) for path in paths[:2]] + [other.get(paths[2])]

    before = seen()
    moved = Api(people[0]).move(game_id, 1, "S:/")
    assert moved["waiting"] is True
    assert seen() == before
    own = Api(people[0]).get(f"/games/{game_id}")
    assert (own["waiting"], own["legal"]) == (True, [])


def test_the_hidden_stays_hidden_until_the_gate_opens() -> None:
    game_id, people = cast.dealt(2, "table", max_plies=100)
    for path in ("record", "proof"):
        api = Api(people[0])
        assert api.get(f"/games/{game_id}/{path}")["code"] == "deck_in_play"
        assert api.status == 409
    row = cast.row(game_id)
    secrets = [
        bytes(row.deck.server_seed).hex(),
        bytes(row.deck.deal_seed or b"").hex(),
        row.deck.deck_id,
    ]
    pages = [Api(people[0]).get(f"/games/{game_id}{path}") for path in ("", "/events")]
    assert not any(secret in str(page) for secret in secrets for page in pages)


def test_an_illegal_action_lists_the_legal_ones_and_the_rule() -> None:
    game_id, people = cast.dealt(2, "classic")
    (seat,) = cast.engine_game(game_id).to_act()
    api = Api(people[seat])
    problem = api.move(game_id, 1, "U")
    assert (api.status, problem["code"], problem["rule"]) == (422, "pile_empty", "pile_empty")
    assert problem["legal"] == cast.engine_game(game_id).legal(seat)
    assert api.answer["Content-Type"] == "application/problem+json"
    assert problem["request_id"] == api.answer["X-Request-ID"]


def test_stale_early_and_foreign_moves_have_their_codes() -> None:
    game_id, people = cast.dealt(2, "classic")
    game = cast.engine_game(game_id)
    (seat,) = game.to_act()
    api, other = Api(people[seat]), Api(people[1 - seat])
    action = game.default_action(seat)
    assert other.move(game_id, 1, action)["code"] == "early_move"
    assert api.move(game_id, 9, action)["code"] == "early_move"
    first = api.move(game_id, 1, action)
    assert api.move(game_id, 1, action) == first
    assert (api.move(game_id, 1, "X:")["code"], api.status) == ("stale_move", 409)
    stranger = Api(cast.person("Cecilia"))
    assert (stranger.move(game_id, 1, action)["code"], stranger.status) == ("not_your_seat", 403)
    assert (Api().move(game_id, 1, action)["code"]) == "not_authenticated"


def test_a_move_after_the_end_is_refused_with_the_final_places() -> None:
    game_id, people = cast.dealt(2, "classic", max_plies=100)
    over = cast.play_out(game_id)
    api = Api(people[0])
    problem = api.move(game_id, 4000, "U")
    assert (api.status, problem["code"], problem["places"]) == (409, "game_over", over.places)


def test_events_have_numbers_without_gaps_and_can_be_read_on() -> None:
    game_id, people = cast.dealt(2, "table")
    for _ in range(6):
        cast.play_default(game_id)
    api = Api(people[1])
    everything = api.get(f"/games/{game_id}/events")
    numbers = [event["number"] for event in everything["events"]]
    assert numbers == list(range(len(numbers)))
    rest = api.get(f"/games/{game_id}/events?after=2")
    assert rest["events"] == everything["events"][3:]
    assert api.get(f"/games/{game_id}/events?after=999")["events"] == []


def test_how_a_game_stood_can_be_looked_up_no_later_than_it_stands() -> None:
    game_id, people = cast.dealt(2, "classic")
    api, views = Api(people[0]), []
    for _ in range(4):
        views.append(api.get(f"/games/{game_id}")["view"])
        cast.play_default(game_id)
    for ply, view in enumerate(views):
        then = api.get(f"/games/{game_id}?ply={ply}")
        assert (then["view"], then["legal"], then["move_number"]) == (view, [], None)
    newest = api.get(f"/games/{game_id}")["view"]
    assert api.get(f"/games/{game_id}?ply=99")["view"] == newest
    assert Api().get(f"/games/{game_id}?ply=0")["view"]["hand"] is None


def test_one_key_makes_one_game_and_shows_no_token_twice() -> None:
    api = Api(cast.person("Aino"))
    body = {"preset": "table"}
    first = api.post("/games", body, **{"idempotency-key": "k1"})
    assert api.post("/games", body, **{"idempotency-key": "k1"}) == first
    assert (Game.objects.count(), Receipt.objects.count()) == (1, 1)
    other = api.post("/games", {"preset": "classic"}, **{"idempotency-key": "k1"})
    assert (api.status, other["code"]) == (422, "idempotency_key_reused")
    anybody = Api()
    made = anybody.post("/players", {"name": "Bertil"}, **{"idempotency-key": "k2"})
    again = anybody.post("/players", {"name": "Bertil"}, **{"idempotency-key": "k2"})
    assert again == {**made, "token": None}
    assert Player.objects.filter(name="Bertil").count() == 1


def test_what_can_not_be_dealt_or_seated_is_refused_before_anything_is_stored() -> None:
    api = Api(cast.person("Aino"))
    cases: list[tuple[dict[str, object], str]] = [
        ({"preset": "marjapussi"}, "unknown_preset"),
        ({"options": {"seven_stopp": True}}, "unknown_option"),
        ({"options": {"jokers": 9}}, "bad_option_value"),
        ({"preset": "valepaska", "options": {"stock_chance": "when_stuck"}}, "option_conflict"),
        ({"options": {"decks": 1, "hand_size": 6}, "seats": ["open"] * 6}, "deal_impossible"),
        ({"house_rules": ["long_raw"]}, "unknown_house_rule"),
        ({"seats": ["open"]}, "bad_seats"),
        ({"seats": ["house:lowest", "house:random"]}, "bad_seats"),
        ({"seats": ["open", "house:marvin"]}, "bad_seats"),
        ({"seats": ["open", "bot:99"]}, "bad_seats"),
        (
            {"options": {"challenge_mode": "first"}, "seats": ["open", "house:lowest"]},
            "first_needs_people",
        ),
    ]
    for body, code in cases:
        problem = api.post("/games", body)
        assert (problem["code"], api.status) == (code, 422), body
    assert Game.objects.count() == 0


def test_a_list_of_games_takes_few_statements_however_long() -> None:
    def statements() -> int:
        with CaptureQueriesContext(
            connection,
        ) as found:
            Api().get("/games")
        return len(found)

    aino = cast.person("Aino")
    lobby.create_game(aino, Plan(rules_from("table"), ["", ""]))
    few = statements()
    for _ in range(5):
        lobby.create_game(aino, Plan(rules_from("classic"), ["", "", "house:lowest"]))
    assert statements() == few <= 3


def test_every_open_game_is_on_exactly_one_page() -> None:
    aino = cast.person("Aino")
    made = {
        str(lobby.create_game(aino, Plan(rules_from("table"), ["", ""])).game_id) for _ in range(7)
    }
    api, seen, path = Api(), [], "/games?limit=3"
    while path:
        page = api.get(path)
        seen += [game["id"] for game in page["results"]]
        path = (page["next"] or "").removeprefix("/api/v1")
    assert (sorted(seen), len(seen)) == (sorted(made), 7)


def _any_action(legal: list[str]) -> str:
    """Something that can be sent as it is listed."""
    return next((a for a in legal if a[0] in "P"), legal[0] if legal[0] != "B" else "B:0")


def test_looking_at_a_game_whose_clock_has_run_out_shows_the_default_played() -> None:
    game_id, people = cast.dealt(2, "table")
    Seat.objects.filter(game=game_id).update(bank_ms=0)
    past = Game.objects.get(pk=game_id).created_at - timedelta(hours=1)
    Game.objects.filter(pk=game_id).update(
        move_ms=0, started_at=past, turn_at=past, deadline_at=past
    )
    game = Api(people[0]).get(f"/games/{game_id}")
    assert (game["view"]["phase"], game["view"]["ply"]) == ("play", 2)


def test_a_repeat_while_the_first_is_running_is_told_so() -> None:
    api = Api(cast.person("Aino"))
    player = Player.objects.get(name="Aino")
    key = f"player:{player.pk}\nk1"
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(hashtextextended(%s, 7))", [key])
        told = _in_a_thread(lambda: api.post("/games", {}, **{"idempotency-key": "k1"}))
        cursor.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 7))", [key])
    assert (api.status, told["code"]) == (409, "still_running")
    assert Game.objects.count() == 0


def _in_a_thread(task: Callable[[], Any]) -> Any:
    def run() -> Any:
        try:
            return task()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()
