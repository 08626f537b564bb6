"""Every bot hears how its game ended, also where no driver plays it to its end."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from bots_api import tasks
from bots_api.models import OpenTurn
from config.kit import clock
from games import tasks as game_tasks
from games.models import Game, Player
from games.queries.lists import PARDONED_WITHIN
from tests.bots_api.cast import driven_game, house, on_line, owner, puller
from tests.bots_api.test_pull import Sound

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def at_once(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sent to a worker is done here."""
    settings.EGRESS_ALLOW = ["loopback"]
    # No league knows these tables.
    settings.GAME_LISTENERS = ["bots_api.tasks.game_over"]
    monkeypatch.setattr(tasks, "send", lambda _, game_id: tasks.tell_end(game_id))


class Hearing(Sound):
    """Remembers the ends that it was told."""

    def __init__(self) -> None:
        self.ends: list[Mapping[str, Any]] = []

    def game_end(self, end: Mapping[str, Any]) -> None:
        self.ends.append(end)


@contextmanager
def hearing(of: Player) -> Iterator[tuple[Player, Hearing]]:
    bot = Hearing()
    with on_line(bot, "Kuulija", of) as made:
        yield made.bot.player, bot


def stuck(game_id: UUID) -> None:
    """Three attempts were fruitless, and nobody has pardoned it in time."""
    before = clock.now() - PARDONED_WITHIN - timedelta(minutes=1)
    Game.objects.filter(pk=game_id).update(
        attempts=3, quarantine_reason="attempts", lease_until=before
    )


def over(game_id: UUID) -> None:
    Game.objects.filter(pk=game_id).update(
        state="over", places=[[1], [0]], ending="over", ended_at=clock.now(), due_at=None
    )
    game_tasks.settle(game_id)


def mailed(bot_player: Player) -> list[dict[str, Any]]:
    rows = OpenTurn.objects.filter(bot__player=bot_player, kind=OpenTurn.Kind.GAME_END)
    return [json.loads(row.message) for row in rows]


def test_a_driven_game_that_is_called_off_tells_its_bots() -> None:
    oskari = owner()
    with hearing(oskari) as (called, bot):
        connecting = puller(of=oskari).bot.player
        game = driven_game(called, connecting, house())
        stuck(game)
        game_tasks.sweep()

    assert Game.objects.get(pk=game).state == Game.State.VOID
    (heard,) = bot.ends
    (put,) = mailed(connecting)
    for seat, end in enumerate((heard, put)):
        assert (end["type"], end["reason"], end["places"]) == ("game_end", "voided", [])
        assert (end["game"], end["seat"]) == ({"id": str(game)}, seat)


def test_bots_at_a_table_of_people_hear_how_it_ended() -> None:
    oskari = owner()
    with hearing(oskari) as (called, bot):
        game = driven_game(house(), called)
        Game.objects.filter(pk=game).update(kind=Game.Kind.EVENTED)
        over(game)
    (end,) = bot.ends
    assert (end["reason"], end["places"], end["seat"]) == ("over", [[1], [0]], 1)


def test_a_game_that_the_driver_has_ended_is_not_told_twice() -> None:
    connecting = puller().bot.player
    game = driven_game(connecting, house())
    over(game)
    assert mailed(connecting) == []
