"""Check-in of bots: an answer or an open stream is enough; for others the stand-in plays."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bots_api import tasks
from bots_api.models import Bot
from bots_api.services import arrivals, calling, pull
from config.kit import clock
from games.models import Player
from league.models import Competition, Entry, LedgerRow, TableSeat
from league.services import competitions
from tests.bots_api.cast import house, puller, robo
from tests.bots_api.test_suspension import DEAD, sound_bot
from tests.league import cast

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def quick(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.EGRESS_ALLOW = ["loopback"]
    monkeypatch.setattr(tasks, "WAKING_S", 0.2)


def cup_in(minutes: int, *players: Player, **settings: Any) -> Competition:
    """A cup that starts in so many minutes; its entries were made long before."""
    cup = cast.cup(players, {"deals_per_table": 2, **settings})
    starts_in(cup, minutes)
    Entry.objects.filter(competition=cup).update(since=clock.now() - timedelta(days=2))
    return cup


def starts_in(cup: Competition, minutes: int) -> None:
    Competition.objects.filter(pk=cup.pk).update(starts_at=clock.now() + timedelta(minutes=minutes))


def swept() -> None:
    """The sweep, and what it wakes."""
    tasks.sweep()
    while calling.due():
        tasks.call()
    tasks.sweep()


def checked_in(cup: Competition) -> list[int]:
    rows = LedgerRow.objects.filter(competition=cup, kind="checkin", body__by="call")
    return [row.body["player"] for row in rows.order_by("seq")]


def calm(bot: Bot) -> None:
    """It answered an hour ago and is due in five minutes."""
    now = clock.now()
    Bot.objects.filter(pk=bot.pk).update(
        answered_at=now - timedelta(hours=1), call_at=now + timedelta(minutes=5)
    )


def test_a_bot_is_called_when_check_in_opens_and_its_answer_checks_it_in() -> None:
    with sound_bot() as port:
        bot = robo(f"http://127.0.0.1:{port}")
        cup = cup_in(31, bot.player, house())
        calm(bot)
        swept()
        assert checked_in(cup) == []
        starts_in(cup, 29)
        swept()
        assert checked_in(cup) == [bot.player_id]
    swept()
    assert checked_in(cup) == [bot.player_id]


def test_an_open_stream_is_a_check_in_and_a_silent_one_is_none() -> None:
    here, gone = puller().bot, puller("Poissa").bot
    cup = cup_in(20, here.player, gone.player)
    pull.arrive(here.pk)
    swept()
    assert checked_in(cup) == [here.player_id]


def test_for_a_bot_that_is_absent_the_stand_in_plays_until_it_appears() -> None:
    bot = puller().bot
    cup = cup_in(20, bot.player, house())
    swept()
    starts_in(cup, 0)
    competitions.start(cup.pk)
    seat = TableSeat.objects.get(entry__competition=cup, entry__player=bot.player)
    assert seat.stand_in

    pull.arrive(bot.pk)
    swept()
    seat.refresh_from_db()
    assert checked_in(cup) == [bot.player_id]
    assert not seat.stand_in


def test_an_absent_bot_is_withdrawn_before_the_draw_where_that_was_chosen() -> None:
    dead, here = robo(DEAD), puller().bot
    cup = cup_in(20, dead.player, here.player, house(), no_show="withdraw")
    calm(dead)
    pull.arrive(here.pk)
    swept()
    starts_in(cup, 0)
    competitions.start(cup.pk)
    states = dict(Entry.objects.filter(competition=cup).values_list("player", "state"))
    assert (states[dead.player_id], states[here.player_id]) == ("withdrawn", "entered")


def test_nobody_is_waited_for_who_could_not_be_late() -> None:
    """Entered while check-in is open; or started by hand before its time."""
    bot, early = puller().bot, puller("Aika").bot
    cup = cast.cup([bot.player, house()])
    starts_in(cup, 20)
    begun = cast.cup([early.player, house()], club_=cup.club)
    starts_in(begun, 20)
    Entry.objects.filter(competition=begun).update(since=clock.now() - timedelta(days=2))
    competitions.start(begun.pk)
    assert arrivals.sweep() == 0
    assert not TableSeat.objects.filter(stand_in=True).exists()


def test_a_suspended_bot_is_stood_in_for_until_it_is_restored() -> None:
    bot = puller().bot
    cup = cup_in(20, bot.player, house())
    Bot.objects.filter(pk=bot.pk).update(state="suspended", suspended_for="stand_ins")
    starts_in(cup, 0)
    competitions.start(cup.pk)
    pull.arrive(bot.pk)
    swept()
    assert checked_in(cup) == []
    Bot.objects.filter(pk=bot.pk).update(state="active", suspended_for="")
    swept()
    assert checked_in(cup) == [bot.player_id]
    assert not TableSeat.objects.filter(entry__competition=cup, stand_in=True).exists()
