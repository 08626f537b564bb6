"""Suspended and restored: by calls of the sweep, by games that the stand-in had to end."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.core import mail

from bots_api import pace, tasks
from bots_api.lines.line import Line
from bots_api.models import Bot, BotVersion, CheckReport, Fault, Notice, Outing, Pace
from bots_api.sdk import housubot
from bots_api.services import calling, checks, entrants, heard, life, notices
from bots_api.services.heard import AskedTurn
from config.kit import clock
from games.models import Game, Player, Seat
from league.models import Competition
from league.services.entrants import Terms
from tests.bots_api.cast import driven_game, house, owner, puller, registered, robo
from tests.bots_api.test_pull import Sound
from tests.games.api.client import Api
from tests.league import cast

pytestmark = pytest.mark.django_db(transaction=True)

DEAD = "http://127.0.0.1:1025"


@pytest.fixture(autouse=True)
def quick(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is waited for: a cold start is another test's claim."""
    settings.EGRESS_ALLOW = ["loopback"]
    monkeypatch.setattr(tasks, "WAKING_S", 0.2)


@contextmanager
def sound_bot() -> Iterator[int]:
    server = housubot.server(Sound(), [])
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def called(bot: Bot) -> Bot:
    """The bot after one call of the sweep."""
    Bot.objects.filter(pk=bot.pk).update(call_at=clock.now())
    assert calling.due()
    tasks.call()
    bot.refresh_from_db()
    return bot


def test_three_calls_missed_suspend_and_two_answered_restore() -> None:
    bot = robo(DEAD)
    assert [called(bot).state for _ in range(3)] == ["active", "active", "suspended"]
    assert bot.suspended_for == "silence"
    with sound_bot() as port:
        life.update(bot.pk, bot.player.owner_id or 0, {"url": f"http://127.0.0.1:{port}"})
        assert [called(bot).state for _ in range(2)] == ["suspended", "active"]
    kinds = list(Notice.objects.order_by("pk").values_list("kind", flat=True))
    assert (bot.suspended_for, bot.misses, kinds) == ("", 0, ["suspended", "restored"])


def sound_lately(url: str, name: str) -> Bot:
    bot = robo(url, name)
    Bot.objects.filter(pk=bot.pk).update(answered_at=clock.now())
    return bot


def test_if_bots_at_two_hosts_fall_silent_together_it_is_not_counted_against_any() -> None:
    one = sound_lately("http://127.0.0.2:1025", "One")
    # Not due: it is asked as a witness.
    two = sound_lately("http://127.0.0.3:1025", "Two")
    for _ in range(4):
        called(one)
    Bot.objects.update(call_at=clock.now())
    tasks.call()
    rows = Bot.objects.filter(pk__in=[one.pk, two.pk])
    assert set(rows.values_list("state", "misses")) == {("active", 0)}
    assert all(bot.call_at and bot.call_at < clock.now() + calling.OFTEN for bot in rows)


def test_if_anybody_else_answers_the_silent_ones_are_counted() -> None:
    with sound_bot() as port:
        sound_lately(f"http://127.0.0.1:{port}", "Sound")
        one = sound_lately("http://127.0.0.2:1025", "One")
        two = sound_lately("http://127.0.0.3:1025", "Two")
        for _ in range(3):
            called(one)
        assert (one.state, one.misses) == ("suspended", 3)
        assert called(two).misses == 1


def test_bots_of_one_host_fall_silent_together_and_are_counted() -> None:
    one, two = sound_lately(DEAD, "One"), sound_lately(DEAD, "Two")
    assert [called(one).misses, called(two).misses] == [1, 1]


def test_a_call_to_where_a_bot_was_before_says_nothing_of_it() -> None:
    bot = robo(DEAD)
    Bot.objects.update(call_at=clock.now())
    (call,) = calling.claim()
    life.update(bot.pk, bot.player.owner_id or 0, {"url": "http://127.0.0.2:1025"})
    calling.note(call)
    bot.refresh_from_db()
    assert bot.misses == 0 and bot.call_at is not None and bot.call_at <= clock.now()


def test_a_bot_that_nobody_can_call_is_none_of_the_others_business(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read, broken = Line.read, robo(DEAD, "Broken")

    async def breaking(line: Any) -> None:
        if line.bot_id == broken.pk:
            raise RuntimeError
        await read(line)

    monkeypatch.setattr(Line, "read", breaking)
    with sound_bot() as port:
        bot = robo(f"http://127.0.0.1:{port}", "Sound")
        Bot.objects.update(call_at=clock.now())
        tasks.call()
    bot.refresh_from_db()
    assert bot.passes == 1


def test_a_bot_suspended_for_silence_that_connects_out_from_now_on_is_resumed() -> None:
    bot = robo(DEAD)
    for _ in range(3):
        called(bot)
    owner_id = bot.player.owner_id or 0
    life.update(bot.pk, owner_id, {"transport": "pull"})
    assert life.resume(bot.pk, owner_id).state == "suspended", "it is not there"
    heard_of = {"seen_at": clock.now()}
    Bot.objects.filter(pk=bot.pk).update(**heard_of)
    assert life.resume(bot.pk, owner_id).state == "active"


def test_one_answer_in_between_starts_the_count_anew() -> None:
    with sound_bot() as port:
        bot = robo(f"http://127.0.0.1:{port}")
        Bot.objects.update(misses=2)
        assert (called(bot).misses, bot.state) == (0, "active")


def test_a_page_that_answers_but_is_no_bot_does_not_pass() -> None:
    from tests.raw_server import answer, read_request, running  # noqa: PLC0415

    async def page(reader: Any, writer: Any) -> None:
        while True:
            await read_request(reader)
            writer.write(answer(b"<html>hello</html>", "200 OK", "Content-Type: text/html"))

    with running(page) as port:
        bot = called(robo(f"http://127.0.0.1:{port}"))
    assert (bot.misses, bot.passes) == (1, 0)


def test_a_bot_that_connects_out_is_never_called_and_never_fails() -> None:
    bot = puller().bot
    Bot.objects.update(call_at=clock.now())
    assert not calling.due()
    assert Api().get(f"/bots/{bot.pk}")["presence"] == "away"
    assert bot.state == "active"


def test_what_is_entered_soon_is_called_often_and_others_once_a_day() -> None:
    idle, soon, later = robo(DEAD, "Idle"), robo(DEAD, "Soon"), robo(DEAD, "Later")
    club = cast.club()
    for bot, hours in ((soon, 3), (later, 60)):
        cup = cast.cup([bot.player], club_=club)
        Competition.objects.filter(pk=cup.pk).update(starts_at=clock.now() + timedelta(hours=hours))
    for bot in (idle, soon, later):
        called(bot)
        note_answered(bot)
    assert in_hours(idle) == pytest.approx(24, abs=0.1)
    assert in_hours(soon) == pytest.approx(calling.OFTEN.total_seconds() / 3600, abs=0.02)
    assert in_hours(later) == pytest.approx(24, abs=0.1)
    Competition.objects.update(starts_at=clock.now() + timedelta(hours=30))
    note_answered(later)
    assert in_hours(later) == pytest.approx(6, abs=0.1)


def note_answered(bot: Bot) -> None:
    Bot.objects.filter(pk=bot.pk).update(answered_at=clock.now(), misses=0)
    calling.note(calling.Called(bot.pk, clock.now() - timedelta(minutes=1), bot.url))
    bot.refresh_from_db()


def in_hours(bot: Bot) -> float:
    assert bot.call_at is not None
    return (bot.call_at - clock.now()).total_seconds() / 3600


def test_an_entry_has_the_bot_called_at_once() -> None:
    bot = robo(DEAD)
    entrants.admit(bot.player, Terms("table", rated=False))
    assert calling.due()


def test_two_sweeps_at_once_call_a_bot_once() -> None:
    robo(DEAD)
    Bot.objects.update(call_at=clock.now())
    found = cast.at_once(calling.claim, 4)
    assert sum(len(one) for one in found) == 1


def test_a_paused_bot_is_left_alone_and_a_resumed_one_called() -> None:
    bot = robo(DEAD)
    Bot.objects.update(call_at=clock.now())
    life.pause(bot.pk, bot.player.owner_id or 0)
    assert not calling.due()
    life.resume(bot.pk, bot.player.owner_id or 0)
    assert calling.due()


# Games


def lost(bot: Bot, *, outage: int, away: bool = False, sparring: bool = False) -> None:
    """A finished game of the bot that the stand-in had to end."""
    Bot.objects.filter(pk=bot.pk).update(recoveries=outage)
    finished(bot, faults=3, away=away)


def finished(bot: Bot, faults: int = 0, away: bool = False) -> UUID:
    game = driven_game(bot.player, house())
    seat = Seat.objects.filter(game=game, player=bot.player)
    for number in range(faults):
        heard.fault(bot.pk, AskedTurn(game, 0, number), Fault.Kind.TIMEOUT, {})
    Fault.objects.filter(game_ref=game).update(away=away)
    seat.update(faults=faults, stand_in_at=clock.now() if faults > 2 else None)
    Game.objects.filter(pk=game).update(
        state="over", places=[[1], [0]], ending="over", ended_at=clock.now(), due_at=None
    )
    tasks.game_over(game)
    return game


def state(bot: Bot) -> str:
    return Bot.objects.get(pk=bot.pk).state


def test_three_games_in_a_row_given_to_the_stand_in_suspend() -> None:
    bot = robo(DEAD)
    lost(bot, outage=1)
    lost(bot, outage=2)
    assert state(bot) == "active"
    lost(bot, outage=3)
    assert state(bot) == "suspended"
    assert Notice.objects.get().data == {"reason": "stand_ins"}
    assert Outing.objects.filter(bot=bot, stand_in=True).count() == 3


def test_a_game_that_it_plays_through_ends_the_row() -> None:
    bot = robo(DEAD)
    lost(bot, outage=1)
    lost(bot, outage=2)
    finished(bot)
    lost(bot, outage=3)
    assert state(bot) == "active"


def test_all_games_lost_in_one_outage_count_once() -> None:
    bot = robo(DEAD)
    for _ in range(8):
        lost(bot, outage=1)
    assert state(bot) == "active"
    assert len({fault.outage for fault in Fault.objects.all()}) == 1


def test_what_a_bot_loses_while_it_is_away_never_counts() -> None:
    bot = puller().bot
    for outage in range(5):
        lost(bot, outage=outage, away=True)
    assert state(bot) == "active"


def test_a_fault_of_a_bot_that_is_not_connected_says_that_it_was_away() -> None:
    bot = puller().bot
    game = driven_game(bot.player, house())
    heard.fault(bot.pk, AskedTurn(game, 0, 1), Fault.Kind.TIMEOUT, {})
    Bot.objects.update(seen_at=clock.now())
    heard.fault(bot.pk, AskedTurn(game, 0, 2), Fault.Kind.TIMEOUT, {})
    assert list(Fault.objects.order_by("pk").values_list("away", flat=True)) == [True, False]


def test_an_answer_after_a_fault_ends_the_outage() -> None:
    bot = robo(DEAD)
    heard.handshake(bot.pk, {"version": "1"})
    game = driven_game(bot.player, house())
    for number in (1, 2):
        heard.fault(bot.pk, AskedTurn(game, 0, number), Fault.Kind.TIMEOUT, {})
    heard.answered(bot.pk, pace.counted([12]), 3600)
    heard.fault(bot.pk, AskedTurn(game, 0, 3), Fault.Kind.TIMEOUT, {})
    heard.answered(bot.pk, pace.counted([12, 40]), 0)
    heard.answered(bot.pk, pace.counted([12]), 0)
    heard.fault(bot.pk, AskedTurn(game, 0, 4), Fault.Kind.TIMEOUT, {})

    outages = list(Fault.objects.order_by("pk").values_list("outage", flat=True))

    # The first of the answers came before the faults, so it ended nothing.
    assert outages == [0, 0, 0, 1]
    assert Pace.objects.get().counts == pace.counted([12, 12, 40, 12])


def test_a_passed_check_brings_a_bot_back_and_the_old_games_no_longer_count() -> None:
    bot = robo(DEAD)
    for outage in (1, 2, 3):
        lost(bot, outage=outage)
    report = checks.ask(bot.pk, bot.player.owner_id or 0)
    checks.close(report.pk, checks.Report(True, [], 1.0, 2.0))
    assert state(bot) == "active"
    lost(bot, outage=4)
    assert state(bot) == "active"


def test_answers_to_calls_do_not_bring_back_who_plays_badly() -> None:
    with sound_bot() as port:
        bot = robo(f"http://127.0.0.1:{port}")
        for outage in (1, 2, 3):
            lost(bot, outage=outage)
        for _ in range(3):
            called(bot)
    assert (bot.state, bot.suspended_for) == ("suspended", "stand_ins")


def test_a_game_is_noted_once_however_often_it_is_settled() -> None:
    bot = robo(DEAD)
    game = finished(bot, faults=1)
    cast.at_once(lambda: tasks.game_over(game), 4)
    outing = Outing.objects.get()
    assert (outing.place, outing.faults, outing.stand_in, outing.outage) == (2, 1, False, 0)


# The owner is told


def test_the_owner_is_told_by_api_page_and_mail() -> None:
    user = User.objects.create_user("oskari", "oskari@example.org")
    oskari = owner()
    Player.objects.filter(pk=oskari.pk).update(user=user)
    made = registered(DEAD, of=oskari)
    for _ in range(3):
        called(made.bot)

    tasks.mail()
    tasks.mail()

    (letter,) = mail.outbox
    assert (letter.to, letter.subject) == (["oskari@example.org"], "Your bot Robo")
    assert "is suspended: it did not answer three calls in a row" in letter.body
    api = Api(oskari)
    api.headers["authorization"] = bearer(oskari)
    notice = api.get(f"/bots/{made.bot.pk}/notices")["results"][0]
    assert (notice["kind"], notice["text"]) == ("suspended", letter.body)
    assert notice["mailed_at"] is not None
    assert api.get(f"/bots/{made.bot.pk}")["suspended_for"] == "silence"


def test_a_mail_that_can_not_be_sent_is_tried_again_and_then_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    user = User.objects.create_user("oskari", "oskari@example.org")
    bot = robo(DEAD)
    Player.objects.filter(owned__bot=bot).update(user=user)
    for _ in range(3):
        called(bot)

    def refused(*given: Any) -> Sequence[str]:
        raise ConnectionRefusedError

    monkeypatch.setattr(tasks, "send_mail", refused)
    tasks.mail()
    assert Notice.objects.get().mailed_at is None and not notices.due()
    Notice.objects.update(mail_at=clock.now())
    assert notices.due()
    Notice.objects.update(created_at=clock.now() - timedelta(days=2))
    tasks.mail()
    assert Notice.objects.get().mail_at is None


def test_who_has_no_address_is_not_mailed() -> None:
    bot = robo(DEAD)
    for _ in range(3):
        called(bot)
    assert not notices.due()


def test_versions_have_figures_of_their_own_and_the_bot_their_sum() -> None:
    bot = robo(DEAD)
    for version, times in (("1", [12, 12]), ("2", [40])):
        heard.handshake(bot.pk, {"version": version, "author": "Aino", "presets": ["table"]})
        heard.answered(bot.pk, pace.counted(times), 0)
        finished(bot, faults=1)
    CheckReport.objects.create(
        bot=bot, version=BotVersion.objects.get(version="2"), state=CheckReport.State.PASSED
    )

    newest, first = Api().get(f"/bots/{bot.pk}/versions")["results"]
    figures = Api().get(f"/bots/{bot.pk}/figures")

    assert (newest["version"], newest["author"], newest["passed_check"]) == ("2", "Aino", True)
    assert (first["passed_check"], first["figures"]["answers"]) == (False, 2)
    assert 10 <= first["figures"]["p50_ms"] <= 15 and 30 <= newest["figures"]["p95_ms"] <= 50
    assert (newest["figures"]["games"], newest["figures"]["faults"]) == (1, 1)
    assert (figures["figures"]["games"], figures["figures"]["answers"]) == (2, 3)
    assert figures["faults_by_kind"] == {"timeout": 2}


def bearer(player: Player) -> str:
    from games.models import Token  # noqa: PLC0415
    from games.services import tokens  # noqa: PLC0415

    return f"Bearer {tokens.issue(player, [Token.Scope.BOT, Token.Scope.READ]).text}"
