"""Streams of games: whole, resumable, gap-free, and only for who may look."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client

from config.kit.hub import notify
from games.models import Game, Seat, Token
from games.services import lobby, tokens
from games.stream import feeds, follow
from tests.games import cast
from tests.games.api.client import Api
from tests.games.stream.watcher import token_of, watching
from tests.web_server import serving

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def web() -> Iterator[str]:
    with serving() as address:
        yield address


def test_a_seat_and_a_watcher_each_get_their_own_events_to_the_end(web: str) -> None:
    game_id, people = cast.dealt(2, "table", max_plies=100)
    with (
        watching(web, game_id, token=token_of(people[0])) as seat,
        watching(web, game_id) as public,
    ):
        assert seat.answer.headers["Content-Type"] == "text/event-stream"
        seat.until("view")
        public.until("view")
        cast.play_out(game_id)
        for watcher, player in ((seat, people[0]), (public, None)):
            watcher.until("end")
            assert watcher.next() is None
            listed = Api(player).get(f"/games/{game_id}/events")["events"]
            assert [f.data for f in watcher.seen if f.kind == "event"] == listed
            assert watcher.numbers() == list(range(len(listed)))
            views = [f.data for f in watcher.seen if f.kind == "view"]
            assert views[-1] == Api(player).get(f"/games/{game_id}")
            assert views[-1]["seat"] == (None if player is None else 0)


def test_a_stream_resumes_after_the_event_that_the_reader_has(web: str) -> None:
    game_id, _ = cast.dealt(2, "classic")
    for _ in range(6):
        cast.play_default(game_id)
    with watching(web, game_id) as first:
        first.until("view")
    for query, headers in (("?after=3", {}), ("?after=0", {"Last-Event-ID": "3"})):
        with watching(web, game_id, query, **headers) as again:
            again.until("view")
            assert again.numbers() == [n for n in first.numbers() if n > 3]


def test_a_browser_that_comes_again_after_the_end_is_told_to_stay_away(web: str) -> None:
    game_id, _ = cast.dealt(2, "classic", max_plies=100)
    cast.play_out(game_id)
    with watching(web, game_id) as watcher:
        watcher.until("end")
        last = watcher.numbers()[-1]
    with watching(web, game_id, **{"Last-Event-ID": str(last)}) as again:
        assert again.status == 204


def test_a_number_that_never_was_is_gone_and_names_the_snapshot(web: str) -> None:
    game_id, _ = cast.dealt(2, "classic")
    with watching(web, game_id, "?after=99") as watcher:
        problem = watcher.problem()
    assert (watcher.status, problem["code"], problem["last"]) == (410, "events_gone", 0)
    assert problem["snapshot"] == f"/api/v1/games/{game_id}"


@pytest.mark.parametrize("broken", ["-1", "x", "1e3", "٣", "1" * 40, "0x1", "3, 4", "3;"])
def test_a_broken_last_event_id_is_a_bad_request(web: str, broken: str) -> None:
    game_id, _ = cast.dealt(2, "classic")
    with watching(web, game_id, **{"Last-Event-ID": broken.encode().decode("latin-1")}) as watcher:
        assert (watcher.status, watcher.problem()["code"]) == (400, "invalid_request")


@pytest.mark.parametrize("query", ["?after=x", "?after=-2", "?from=1", "?after=1&after=2"])
def test_unknown_and_broken_parameters_are_refused(web: str, query: str) -> None:
    game_id, _ = cast.dealt(2, "classic")
    with watching(web, game_id, query) as watcher:
        assert watcher.status == 400


def test_games_that_are_not_there_and_private_ones_are_not_found(web: str) -> None:
    game_id, people = cast.dealt(2, "classic")
    Game.objects.filter(pk=game_id).update(visibility=Game.Visibility.PRIVATE)
    stranger = token_of(cast.person("Cecilia"))
    problems = []
    for asked, token in ((game_id, ""), (game_id, stranger), (uuid4(), "")):
        with watching(web, asked, token=token) as watcher:
            assert watcher.status == 404
            problems.append(watcher.problem())
    assert problems[0] == problems[1] == problems[2]
    with watching(web, game_id, token=token_of(people[0])) as watcher:
        assert watcher.until("view").data["seat"] == 0


def test_a_wrong_token_is_refused_before_anything_is_said(web: str) -> None:
    game_id, _ = cast.dealt(2, "classic")
    with watching(web, game_id, token="hlp_wrong") as watcher:
        assert (watcher.status, watcher.problem()["code"]) == (401, "bad_token")
    assert watcher.answer.headers["WWW-Authenticate"]


def test_other_methods_and_other_media_types_go_to_the_other_side(web: str) -> None:
    game_id, _ = cast.dealt(2, "classic")
    address = f"{web}/api/v1/games/{game_id}/events"
    with urllib.request.urlopen(address) as answer:
        assert answer.headers["Content-Type"] == "application/json"
        assert "Accept" in answer.headers["Vary"]
    for method in ("POST", "PUT", "DELETE"):
        request = urllib.request.Request(
            address, method=method, headers={"Accept": "text/event-stream"}
        )
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request)
        assert refused.value.code == 405
        assert json.load(refused.value)["code"] == "method_not_allowed"


def test_the_role_is_the_server_s_to_say_and_follows_who_sits_down(web: str) -> None:
    game_id, people = cast.forming(2)
    other = cast.person("Cecilia")
    with watching(web, game_id, token=token_of(other)) as watcher:
        assert watcher.until("view").data["seat"] is None
        lobby.leave(game_id, people[1])
        lobby.join(game_id, other)
        _news(game_id)
        while watcher.until("view").data["seat"] != 1:
            pass


def test_a_sealed_answer_is_news_for_its_own_seat_alone(web: str) -> None:
    game_id, people = cast.dealt(3, "table")
    with (
        watching(web, game_id, token=token_of(people[0])) as own,
        watching(web, game_id, token=token_of(people[0])) as own_second_tab,
        watching(web, game_id, token=token_of(people[1])) as other,
        watching(web, game_id) as public,
    ):
        everybody = (own, own_second_tab, other, public)
        for watcher in everybody:
            watcher.until("view")
        Api(people[0]).move(game_id, 1, "S:/")
        _news(game_id)
        for watcher in (own, own_second_tab):
            assert watcher.until("view").data["waiting"] is True
        for player in people[1:]:
            Api(player).move(game_id, 1, "S:/")
        for watcher in everybody:
            watcher.until_ply(3)
        # Nothing between the deal and the three swaps that came in one go.
        shown = ["event", "view", "event", "event", "event", "view"]
        assert [frame.kind for frame in public.seen] == shown
        for watcher in everybody:
            assert watcher.numbers() == [0, 1, 2, 3]


def test_a_watcher_s_and_a_seat_s_stream_of_one_account_number_alike_and_keep_apart(
    web: str,
) -> None:
    """Who sits there watches from outside without his token: the same numbers, none of his cards,
    also where he alone knows what has happened."""
    game_id, people = cast.dealt(3, "valepaska", max_plies=150)
    token = token_of(people[0])
    with (
        watching(web, game_id, token=token) as seat,
        watching(web, game_id) as outside,
        watching(web, game_id, "?after=0", token=token) as resumed,
    ):
        cast.play_out(game_id)
        for watcher in (seat, outside, resumed):
            watcher.until("end")
            assert watcher.next() is None
    told = seat.numbers()
    assert told == outside.numbers() == list(range(len(told)))
    assert resumed.numbers() == told[1:]
    listed = Api(None).get(f"/games/{game_id}/events")["events"]
    assert [frame.data for frame in outside.seen if frame.kind == "event"] == listed
    # What the outside is not told is which cards: own ones drawn, claimed, taken.
    more = [
        {name: mine.data.pop(name) for name in set(mine.data) - set(other.data)}
        for mine, other in zip(events_of(seat), events_of(outside), strict=True)
    ]
    assert {"cards"} <= {name for hidden in more for name in hidden} <= {"cards", "taken"}
    assert [frame.data for frame in events_of(seat)] == listed
    views = [frame.data for frame in outside.seen if frame.kind == "view"]
    assert all(view["seat"] is None and not view["legal"] for view in views)


def events_of(watcher: Any) -> list[Any]:
    return [frame for frame in watcher.seen if frame.kind == "event"]


def test_a_revoked_token_and_a_lost_right_to_look_end_the_stream(
    web: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follow, "TRUST_S", 0.0)
    monkeypatch.setattr(follow, "HEARTBEAT_S", 0.1)
    game_id, people = cast.dealt(2, "classic")
    with watching(web, game_id, token=token_of(people[0])) as watcher:
        watcher.until("view")
        for token in Token.objects.filter(player=people[0]):
            tokens.revoke(token.pk, people[0].pk)
        assert watcher.next() is None
    with watching(web, game_id) as watcher:
        watcher.until("view")
        Game.objects.filter(pk=game_id).update(visibility=Game.Visibility.PRIVATE)
        _news(game_id)
        assert watcher.next() is None


def test_a_stream_breathes_while_nothing_happens(web: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "HEARTBEAT_S", 0.1)
    game_id, _ = cast.dealt(2, "classic")
    with watching(web, game_id) as watcher:
        watcher.until("view")
        assert watcher.answer.readline() == b":\n"


def test_news_that_got_lost_are_found_by_looking_again(
    web: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "POLL_S", 0.1)
    monkeypatch.setattr("games.services.plies.CHANNEL", "nobody_listens")
    game_id, _ = cast.dealt(2, "classic")
    with watching(web, game_id) as watcher:
        watcher.until("view")
        cast.play_default(game_id)
        assert watcher.until_ply(1)


def test_a_lost_connection_of_the_listener_loses_no_news(
    web: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "POLL_S", 3600.0)
    game_id, _ = cast.dealt(2, "classic")
    with watching(web, game_id) as watcher:
        watcher.until("view")
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                "WHERE application_name = 'hub' AND datname = current_database()"
            )
            assert cursor.fetchall() == [(True,)]
        cast.play_default(game_id)
        assert watcher.until_ply(1)


def test_a_clock_that_runs_out_is_played_for_who_only_watches(
    web: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "POLL_S", 0.1)
    game_id, _ = cast.dealt(2, "classic")
    with watching(web, game_id) as watcher:
        watcher.until("view")
        Seat.objects.filter(game=game_id).update(bank_ms=0)
        Game.objects.filter(pk=game_id).update(
            move_ms=0, deadline_at=Game.objects.get(pk=game_id).started_at
        )
        assert watcher.until_ply(1)


def test_a_session_of_a_page_opens_the_seat_s_stream(web: str) -> None:
    client = Client()
    answer = client.post("/games/new", {"name": "Aino", "preset": "classic"})
    game_id = UUID(answer["Location"].strip("/").split("/")[-1])
    cookie = f"sessionid={client.cookies['sessionid'].value}"
    with watching(web, game_id, Cookie=cookie) as watcher:
        assert watcher.until("view").data["seat"] == 0
    with watching(web, game_id, Cookie="sessionid=forged") as watcher:
        assert watcher.until("view").data["seat"] is None


def test_the_stream_of_a_delayed_game_is_a_lap_behind(web: str) -> None:
    game_id, people = cast.dealt(3, "classic")
    Game.objects.filter(pk=game_id).update(kind=Game.Kind.DRIVEN, rated=True)
    with (
        watching(web, game_id) as public,
        watching(web, game_id, token=token_of(people[0])) as seat,
    ):
        for _ in range(8):
            cast.play_default(game_id)
        seat.until_ply(8)
        public.until_ply(5)
        last = Api().get(f"/games/{game_id}/events")["last"]
        assert max(public.numbers()) == last < max(seat.numbers())


def _news(game_id: UUID) -> None:
    """As a commit would tell it."""
    notify("games", str(game_id))


def test_one_client_holds_so_many_streams_and_the_refusal_names_the_limit(
    web: str, settings: Any
) -> None:
    settings.STREAMS_OPEN = {"player": 2, "address": 1}
    game_id, people = cast.dealt(2, "classic")
    token = token_of(people[0])
    with (
        watching(web, game_id, token=token) as first,
        watching(web, game_id, token=token) as second,
    ):
        for watcher in (first, second):
            assert watcher.until("view")
        with watching(web, game_id, token=token) as third:
            told = third.problem()
            assert (third.status, told["code"]) == (429, "too_many_streams")
            assert told["limit"] == "2 streams by player"
            assert third.answer.headers["Retry-After"] == "10"
        # Somebody else, and who names nobody, are counted for themselves.
        with (
            watching(web, game_id, token=token_of(people[1])) as other,
            watching(web, game_id) as public,
        ):
            assert (other.status, public.status) == (200, 200)
            with watching(web, game_id) as too_many:
                assert too_many.problem()["limit"] == "1 streams by address"


def test_a_stream_that_is_closed_makes_room(web: str, settings: Any) -> None:
    settings.STREAMS_OPEN = {"player": 1}
    game_id, people = cast.dealt(2, "classic")
    token = token_of(people[0])
    with watching(web, game_id, token=token) as first:
        assert first.until("view")
    give_up = time.monotonic() + 30
    while True:
        with watching(web, game_id, token=token) as again:
            if again.status == 200:
                break
        assert time.monotonic() < give_up
        time.sleep(0.1)
