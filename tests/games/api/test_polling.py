"""Polling: who holds the newest view is told so without a replay, and by nothing of others'."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from games.models import Game, Seat
from games.queries import replays
from games.services import lobby
from tests.games import cast
from tests.games.api.client import Api

pytestmark = pytest.mark.django_db(transaction=True)


def tag(api: Api, game_id: object) -> str:
    api.get(f"/games/{game_id}")
    found: str = api.answer["ETag"]
    return found


def poll(api: Api, game_id: object, held: str) -> int:
    api.get(f"/games/{game_id}", **{"if-none-match": held})
    return api.status


def test_an_idle_poll_replays_nothing_and_reads_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    game_id, people = cast.dealt(2, "table")
    viewers = [Api(people[0]), Api()]
    held = [tag(api, game_id) for api in viewers]

    def never(*_: Any) -> None:
        raise AssertionError("the game was read")

    monkeypatch.setattr(replays, "shared", never)
    monkeypatch.setattr("games.looking.load", never)
    assert [poll(api, game_id, one) for api, one in zip(viewers, held, strict=True)] == [304, 304]


def test_a_sealed_answer_changes_the_tag_of_its_own_seat_alone() -> None:
    game_id, people = cast.dealt(3, "table")
    own, other, public = Api(people[0]), Api(people[1]), Api()
    held = [tag(api, game_id) for api in (own, other, public)]
    Api(people[0]).move(game_id, 1, "S:/")
    found = [poll(api, game_id, one) for api, one in zip((own, other, public), held, strict=True)]
    assert found == [200, 304, 304]


def test_whatever_a_view_is_made_from_changes_the_tag() -> None:
    game_id, people = cast.dealt(2, "classic")
    api, seats = Api(), Seat.objects.filter(game=game_id)
    changes: list[Any] = [
        lambda: cast.play_default(game_id),
        lambda: seats.filter(index=0).update(bank_ms=1),
        lambda: seats.filter(index=1).update(stand_in_at=people[0].created_at),
        lambda: type(people[0]).objects.filter(pk=people[0].pk).update(name="Aune"),
        lambda: Game.objects.filter(pk=game_id).update(move_ms=5000),
        lambda: cast.play_out(game_id),
    ]
    for change in changes:
        held = tag(api, game_id)
        change()
        assert poll(api, game_id, held) == 200


def test_who_joins_and_who_leaves_changes_the_tag_before_the_deal() -> None:
    game_id, people = cast.forming(2)
    held = tag(Api(), game_id)
    lobby.leave(game_id, people[1])
    assert poll(Api(), game_id, held) == 200


def test_a_poll_survives_the_loss_of_the_connection() -> None:
    game_id, people = cast.dealt(2, "classic")
    api = Api(people[0])
    held = tag(api, game_id)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    # As every request begins outside of tests.
    connection.close_if_unusable_or_obsolete()
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
    other.close()
    assert poll(api, game_id, held) == 304
