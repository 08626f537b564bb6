"""Tickets: one stream, once, for a minute, for one path and one player."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F

from games.errors import BadTicketError
from games.models import Game, StreamTicket, Token
from games.services import tickets, tokens
from games.stream import follow
from tests.games import cast
from tests.games.api.client import Api
from tests.games.stream.watcher import watching
from tests.web_server import serving

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def web() -> Iterator[str]:
    with serving() as address:
        yield address


def path(game_id: object) -> str:
    return f"/api/v1/games/{game_id}/events"


def test_a_ticket_opens_the_seat_s_stream_once(web: str) -> None:
    game_id, people = cast.dealt(2, "classic")
    api = Api(people[1])
    made = api.post("/stream-tickets", {"path": path(game_id)})
    assert (api.status, made["seconds"]) == (201, 60)
    with watching(web, game_id, f"?ticket={made['ticket']}") as watcher:
        assert watcher.until("view").data["seat"] == 1
    with watching(web, game_id, f"?ticket={made['ticket']}") as watcher:
        assert (watcher.status, watcher.problem()["code"]) == (401, "bad_ticket")


def test_a_ticket_is_kept_as_a_hash_and_for_one_path(web: str) -> None:
    game_id, people = cast.dealt(2, "classic")
    other, _ = cast.dealt(2, "classic")
    text = tickets.issue(people[0], None, path(game_id))
    assert text is not None
    assert text.encode() not in bytes(StreamTicket.objects.get().digest)
    with watching(web, other, f"?ticket={text}") as watcher:
        assert watcher.problem()["code"] == "bad_ticket"


def test_a_ticket_older_than_a_minute_is_refused_and_cleared_away() -> None:
    game_id, people = cast.dealt(2, "classic")
    old = tickets.issue(people[0], None, path(game_id))
    older = tickets.issue(people[0], None, path(game_id))
    StreamTicket.objects.update(expires_at=F("expires_at") - timedelta(seconds=61))
    assert old is not None and older is not None
    with pytest.raises(BadTicketError):
        tickets.take(old, path(game_id))
    tickets.issue(people[0], None, path(game_id))
    assert StreamTicket.objects.count() == 1


def test_of_many_who_take_one_ticket_at_once_one_gets_it() -> None:
    game_id, people = cast.dealt(2, "classic")
    text = tickets.issue(people[0], None, path(game_id))
    assert text is not None

    def take(_: int) -> bool:
        try:
            tickets.take(text, path(game_id))
        except BadTicketError:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(take, range(16))) == 1


def test_a_stream_opened_by_ticket_ends_with_the_token_behind_it(
    web: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follow, "TRUST_S", 0.0)
    monkeypatch.setattr(follow, "HEARTBEAT_S", 0.1)
    game_id, people = cast.dealt(2, "classic")
    made = Api(people[0]).post("/stream-tickets", {"path": path(game_id)})
    with watching(web, game_id, f"?ticket={made['ticket']}") as watcher:
        watcher.until("view")
        for token in Token.objects.filter(player=people[0]):
            tokens.revoke(token.pk, people[0].pk)
        assert watcher.next() is None


def test_tickets_need_a_player_and_the_path_of_a_stream() -> None:
    game_id, people = cast.dealt(2, "classic")
    anybody, api = Api(), Api(people[0])
    assert anybody.post("/stream-tickets", {"path": path(game_id)})["code"] == "not_authenticated"
    for wrong in ("/api/v1/games", "http://x/api/v1/a/events", "/api/v1/../events", "/events"):
        assert api.post("/stream-tickets", {"path": wrong})["code"] == "bad_ticket_path", wrong
    assert Game.objects.exists()


def test_a_repeated_request_shows_no_ticket_twice() -> None:
    game_id, people = cast.dealt(2, "classic")
    api = Api(people[0])
    body, key = {"path": path(game_id)}, {"idempotency-key": "k"}
    assert api.post("/stream-tickets", body, **key)["ticket"]
    assert api.post("/stream-tickets", body, **key)["ticket"] is None
    assert StreamTicket.objects.count() == 1
