"""Bots enter competitions: what they must have done, as which version, who plays instead."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from django.db import transaction

from bots_api.models import Bot, BotVersion, CheckReport, Fault, Notice
from bots_api.queries.coming import coming
from bots_api.sdk import housubot
from bots_api.services import checks, heard, life, suspension
from games.driver.resident import Resident
from games.models import Game, Player, Seat
from league.models import Competition, Entry, LedgerRow, Membership
from league.models.competitions import Format
from league.services import competitions, entries, results, schedules, tallies
from tests.bots_api.cast import house, owner, puller, robo
from tests.games.api.client import Api
from tests.league import cast
from tests.raw_server import Script, answer, read_request, running

pytestmark = pytest.mark.django_db(transaction=True)

URL = "https://robo.example.org"


@pytest.fixture
def driver(settings: Any) -> Iterator[Resident]:
    settings.EGRESS_ALLOW = ["loopback"]
    resident = Resident()
    yield resident
    resident.close()


def announced(bot: Bot, version: str, *, passed: bool = False) -> BotVersion:
    heard.handshake(bot.pk, {"version": version, "author": "", "presets": ["table"]})
    found = BotVersion.objects.get(bot=bot, version=version)
    if passed:
        CheckReport.objects.create(bot=bot, version=found, state=CheckReport.State.PASSED)
    return found


def entering(bot: Bot, cup: Competition) -> tuple[Api, Any]:
    api = Api(bot.player.owner)
    return api, api.post(f"/competitions/{cup.pk}/entries", {"player": bot.player_id})


def test_the_check_comes_before_the_first_rated_game_and_the_refusal_says_how() -> None:
    cup, bot = cast.cup([], secret=None), robo(URL)
    api, problem = entering(bot, cup)
    assert (api.status, problem["code"]) == (409, "check_required")
    assert problem["check"] == f"/api/v1/bots/{bot.pk}/check"
    assert "check" in problem["hint"]
    assert not Entry.objects.exists()

    announced(bot, "1.0", passed=True)
    api, entry = entering(bot, cup)
    assert (api.status, entry["state"], entry["version"]) == (201, "entered", None)


def test_an_unrated_event_asks_for_no_check() -> None:
    cup, bot = cast.cup([]), robo(URL)
    api, _ = entering(bot, cup)
    assert api.status == 201


def test_a_bot_enters_only_what_it_has_declared_to_play() -> None:
    bot = robo(URL)
    club = cast.club()
    cup = competitions.create(
        club.pk, competitions.NewCompetition(name="Cup", preset="valepaska", secret=cast.SECRET)
    )
    api, problem = entering(bot, cup)
    assert (api.status, problem["code"]) == (409, "preset_not_declared")
    assert (problem["preset"], problem["presets"]) == ("valepaska", ["table"])


def test_one_owner_enters_as_many_bots_as_the_competition_lets_him() -> None:
    oskari = owner()
    bots = [robo(URL, name, of=oskari) for name in ("Aku", "Iines", "Roope")]
    cup = cast.cup([bot.player for bot in bots[:2]], {"bots_per_owner": 2})
    api, problem = entering(bots[2], cup)
    assert (api.status, problem["code"], problem["limit"]) == (409, "owner_limit", 2)

    entries.withdraw(cup.pk, bots[0].player_id)
    api, _ = entering(bots[2], cup)
    assert api.status == 201
    api, _ = entering(robo(URL, "Mikki"), cup)
    assert api.status == 201


def test_entries_close_with_the_start_and_can_be_withdrawn_before() -> None:
    bot = robo(URL)
    cup = cast.cup([bot.player, *cast.house_bots(2)])
    api = Api(bot.player.owner)
    path = f"/api/v1/competitions/{cup.pk}/entries/{bot.player_id}"
    assert api.client.delete(path, headers=api.headers).status_code == 204
    competitions.start(cup.pk)
    api, problem = entering(bot, cup)
    assert (api.status, problem["code"]) == (409, "entries_closed")


def test_what_takes_entries_is_listed_open_or_running_with_late_entries() -> None:
    club = cast.club()
    made = {
        name: competitions.create(
            club.pk,
            competitions.NewCompetition(
                name=name,
                format=Format.ROUNDS,
                settings={"late_entry": late, "rounds": 3, "table_size": 3},
            ),
        )
        for name, late in (("Open", False), ("Late", True), ("Closed", False))
    }
    for name in ("Late", "Closed"):
        for player in cast.house_bots(3):
            entries.enter(made[name].pk, player.pk)
        competitions.start(made[name].pk)
    api = Api()
    listed = api.get("/competitions?state=open_for_entries")["results"]
    assert [(one["name"], one["zone"]) for one in listed] == [
        ("Late", club.zone),
        ("Open", club.zone),
    ]
    assert [one.name for one in coming(None)] == ["Open", "Late"]
    api.get("/competitions?state=open_for_business")
    assert api.status == 400


@pytest.mark.parametrize("state", [Bot.State.SUSPENDED, Bot.State.RETIRED])
def test_a_bot_that_is_not_to_be_relied_on_does_not_enter(state: Bot.State) -> None:
    cup, bot = cast.cup([]), robo(URL)
    Bot.objects.update(state=state)
    api, problem = entering(bot, cup)
    assert (api.status, problem["code"], problem["state"]) == (409, "bot_state", state)


def test_who_may_not_enter_a_scheduled_event_yet_waits_until_it_starts() -> None:
    checked, late, never = robo(URL), puller("Nappe").bot, puller("Ei").bot
    announced(checked, "1.0", passed=True)
    cup = cast.cup([], secret=None)
    with transaction.atomic():
        for bot in (checked, late, never):
            entries.enter_or_wait_inside(cup, bot.player)
        entries.enter_or_wait_inside(cup, house())
    states = dict(Entry.objects.values_list("player__name", "state"))
    assert states == {"Robo": "entered", "Nappe": "waiting", "Ei": "waiting", "lowest": "entered"}
    announced(late, "2.0", passed=True)

    competitions.start(cup.pk)

    states = dict(Entry.objects.values_list("player__name", "state"))
    assert states == {"Robo": "entered", "Nappe": "entered", "Ei": "dropped", "lowest": "entered"}
    added = LedgerRow.objects.filter(kind="entry.added").values_list("body__entry", flat=True)
    assert sorted(added) == [1, 2, 4]


def test_a_schedule_goes_on_with_a_bot_that_may_not_enter() -> None:
    bot, club = robo(URL), cast.club()
    made = schedules.create(
        club.pk,
        schedules.NewSchedule(
            name="Kymppi",
            cron="0 12 * * *",
            zone="UTC",
            template={"name": "Kymppi", "players": [bot.player_id, "house:lowest"]},
        ),
    )
    assert made.pk


def test_the_newest_version_that_passed_the_check_is_bound_when_entries_close() -> None:
    bot, other = robo(URL), puller("Nappe").bot
    announced(bot, "1.0", passed=True)
    announced(bot, "2.0", passed=True)
    announced(bot, "3.0")
    announced(other, "7", passed=True)
    cup = cast.cup([bot.player, other.player, house()], secret=None)

    competitions.start(cup.pk)

    listed = Api().get(f"/competitions/{cup.pk}/entries")["results"]
    assert [entry["version"] for entry in listed] == ["2.0", "7", None]
    told = Notice.objects.get()
    assert (told.bot_id, told.kind) == (bot.pk, "version_frozen")
    assert told.data == {"competition": cup.pk, "frozen": "2.0", "now": "3.0"}


def test_a_version_that_answers_now_and_has_passed_goes_before_a_newer_one() -> None:
    bot = robo(URL)
    announced(bot, "1.0", passed=True)
    announced(bot, "2.0", passed=True)
    announced(bot, "1.0")
    cup = cast.cup([bot.player, house()])
    competitions.start(cup.pk)
    assert Entry.objects.get(player=bot.player).version == "1.0"


def test_who_enters_late_is_bound_to_its_version_at_once() -> None:
    bot = robo(URL)
    announced(bot, "1.0", passed=True)
    cup = competitions.create(
        cast.club().pk,
        competitions.NewCompetition(
            name="Late",
            format=Format.ROUNDS,
            settings={"late_entry": True, "rounds": 3, "table_size": 3},
        ),
    )
    for player in cast.house_bots(3):
        entries.enter(cup.pk, player.pk)
    competitions.start(cup.pk)
    assert entries.enter(cup.pk, bot.player_id).version == "1.0"


def test_without_freezing_any_version_may_play() -> None:
    bot = robo(URL)
    announced(bot, "1.0", passed=True)
    cup = cast.cup([bot.player, house()], {"freeze_versions": False})
    competitions.start(cup.pk)
    assert Entry.objects.get(player=bot.player).version == ""


def bound(script: Script, driver: Resident) -> Game:
    """The game of a bot whose entry is bound to version 1.0, played to its end."""
    with running(script) as port:
        bot = robo(f"http://127.0.0.1:{port}")
        announced(bot, "1.0", passed=True)
        cup = cast.cup([bot.player, house()], {"deals_per_table": 1})
        competitions.start(cup.pk)
        driver.run_slice(lambda _: None, 60)
    return Game.objects.get()


def said(version: str) -> bytes:
    reply = {"protocol": 1, "version": version, "presets": ["table"]}
    return answer(json.dumps(reply).encode())


def chosen(body: bytes) -> bytes:
    message = json.loads(body)
    turn = message["type"] == "turn"
    reply = {"action": housubot.Turn(message).otherwise()} if turn else {}
    return answer(json.dumps(reply).encode())


def test_a_bot_that_is_back_as_the_right_version_plays_at_once(driver: Resident) -> None:
    hellos = count(1)

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            line, _, body = await read_request(reader)
            if line.startswith("GET"):
                writer.write(said("2.0" if next(hellos) == 1 else "1.0"))
            else:
                writer.write(chosen(body))

    game = bound(script, driver)
    assert (game.state, next(hellos)) == (Game.State.OVER, 3)
    assert not Fault.objects.exists()


def test_a_bot_that_is_lost_and_back_as_another_version_is_asked_no_turn(driver: Resident) -> None:
    turns: list[str] = []

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            line, _, body = await read_request(reader)
            if line.startswith("GET"):
                writer.write(said("1.0" if len(turns) < 3 else "2.0"))
                continue
            if json.loads(body)["type"] == "turn":
                turns.append("lost" if len(turns) in (2, 3) else "answered")
                if turns[-1] == "lost":
                    writer.transport.abort()
                    return
            writer.write(chosen(body))

    game = bound(script, driver)
    assert game.state == Game.State.OVER
    assert turns == ["answered", "answered", "lost", "lost"]
    assert set(Fault.objects.values_list("kind", flat=True)) == {"version_changed"}


def test_another_version_answering_later_is_a_fault_and_the_default_is_played(
    driver: Resident,
) -> None:
    asked: list[str] = []

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            line, _, body = await read_request(reader)
            reply: dict[str, Any] = {"protocol": 1, "version": "2.0", "presets": ["table"]}
            if line.startswith("POST"):
                asked.append(json.loads(body)["type"])
                reply = {}
            writer.write(answer(json.dumps(reply).encode()))

    with running(script) as port:
        bot = robo(f"http://127.0.0.1:{port}")
        announced(bot, "1.0", passed=True)
        cup = cast.cup([bot.player, house()], {"deals_per_table": 1})
        competitions.start(cup.pk)
        driver.run_slice(lambda _: None, 60)

    game = Game.objects.get()
    assert game.state == Game.State.OVER
    faults = list(Fault.objects.all())
    assert [fault.kind for fault in faults] == ["version_changed"] * 3
    assert faults[0].evidence["frozen"] == "1.0" and faults[0].evidence["version"] == "2.0"
    assert faults[0].evidence["handshake"]["presets"] == ["table"]
    assert "turn" not in asked
    assert Seat.objects.get(game=game, player=bot.player).stand_in_at is not None


def test_nobody_is_suspended_out_of_a_table_but_what_begins_later_the_stand_in_plays(
    driver: Resident,
) -> None:
    """A bot suspended between two deals goes on at its table; the next round it is not asked."""
    bot = puller().bot
    cup = cast.cup([bot.player, *cast.house_bots(3)], {"table_size": 2, "deals_per_table": 2})
    competitions.start(cup.pk)
    with transaction.atomic():
        suspension.suspend(Bot.objects.get(pk=bot.pk), Bot.Reason.SILENCE)
    first = Game.objects.get(seats__player=bot.player)
    assert not first.seats.filter(stand_in_at__isnull=False).exists()

    later = cast.cup([], {"table_size": 2, "deals_per_table": 2}, club_=cup.club)
    Entry.objects.create(competition=later, number=1, player=bot.player)
    Entry.objects.create(competition=later, number=2, player=house())
    for entry in Entry.objects.filter(competition=later):
        tallies.open_for(entry)
    competitions.start(later.pk)

    game = Game.objects.get(competition_ref=later.pk)
    seat = game.seats.get(player=bot.player)
    assert seat.stand_in_at is not None
    Game.objects.filter(pk=first.pk).update(due_at=None)
    driver.run_slice(settle, 60)
    marks = [
        row.body["marks"]
        for row in LedgerRow.objects.filter(competition=later, kind="result.confirmed")
    ]
    assert marks and all(mark["stand_in"] and not mark["faults"] for mark in marks[0])
    assert not Fault.objects.filter(game_ref=game.pk).exists()
    later.refresh_from_db()
    assert later.state == Competition.State.FINISHED


def test_a_bot_that_is_retired_in_the_middle_of_a_table_is_not_waited_for_at_its_next_deals(
    driver: Resident,
) -> None:
    bot = puller().bot
    cup = cast.cup([bot.player, house()], {"table_size": 2, "deals_per_table": 4})
    competitions.start(cup.pk)
    life.retire(bot.pk, bot.player.owner_id or 0)
    Game.objects.update(bank_ms=0)
    Seat.objects.update(bank_ms=0)
    for _ in range(10):
        driver.run_slice(settle, 20)
        cup.refresh_from_db()
        if cup.state == Competition.State.FINISHED:
            break
    assert cup.state == Competition.State.FINISHED
    first, *later = Game.objects.filter(competition_ref=cup.pk).order_by("deal_number", "redeal")
    assert Fault.objects.filter(game_ref=first.pk).count() == 3
    assert later and not Fault.objects.exclude(game_ref=first.pk).exists()


def settle(game_id: Any) -> None:
    results.settle_deal(game_id)


def test_a_passed_check_is_what_a_competition_asks_for(driver: Resident) -> None:
    """From registration to the entry by API alone."""
    bot = robo(URL)
    organiser = Player.objects.get(owned__bot=bot)
    cup = cast.cup([], secret=None)
    Membership.objects.create(club=cup.club, player=organiser, role="owner")
    report = checks.ask(bot.pk, organiser.pk)
    announced(bot, "1.0")
    checks.close(report.pk, checks.Report(True, [], 1.0, 2.0))
    api, entry = entering(bot, cup)
    assert (api.status, entry["state"]) == (201, "entered")
