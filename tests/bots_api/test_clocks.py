"""Time: what a bot is charged, what a late one loses, and that our own delays cost it nothing."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bots_api.models import Bot, BotVersion, Fault, Stall
from bots_api.sdk import housubot
from games.driver.resident import Resident
from games.models import Game, Seat
from tests.bots_api.cast import driven_game, house, registered, robo
from tests.raw_server import Script, answer, read_request, running

pytestmark = pytest.mark.django_db(transaction=True)

SAYING = b'{"protocol": 1, "version": "1", "presets": ["table"], "concurrency": 8}'


@pytest.fixture
def driver(settings: Any) -> Iterator[Resident]:
    settings.EGRESS_ALLOW = ["loopback"]
    resident = Resident()
    yield resident
    resident.close()


def playing(before_turn: Callable[[int], float], deaf: int = 0) -> Script:
    """A sound bot that thinks `before_turn(n)` seconds over its n-th turn.

    The first `deaf` handshakes find it busy starting up.
    """
    turns, hellos = iter(range(1_000_000)), iter(range(1_000_000))

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            line, _, body = await read_request(reader)
            if line.startswith("GET"):
                busy = next(hellos) < deaf
                writer.write(answer(b"", "503 Busy") if busy else answer(SAYING))
                continue
            message = json.loads(body)
            reply: dict[str, str] = {}
            if message["type"] == "turn":
                await asyncio.sleep(before_turn(next(turns)))
                reply = {"action": housubot.Turn(message).otherwise()}
            writer.write(answer(json.dumps(reply).encode()))

    return script


def played(driver: Resident, script: Script, **clock: Any) -> tuple[Game, Seat, Bot]:
    """A whole game of that bot against a house bot."""
    with running(script) as port:
        bot = robo(f"http://127.0.0.1:{port}")
        game = driven_game(bot.player, house(), **clock)
        driver.run_slice(lambda _: None, 60)
    bot.refresh_from_db()
    return Game.objects.get(pk=game), Seat.objects.get(game=game, index=0), bot


def test_a_sound_bot_plays_a_whole_game_without_a_fault(driver: Resident) -> None:
    game, seat, bot = played(driver, playing(lambda _: 0.0))
    assert game.state == Game.State.OVER
    assert (seat.faults, Fault.objects.count()) == (0, 0)
    assert (bot.concurrency, bot.answered_at is not None) == (8, True)
    assert BotVersion.objects.get(bot=bot).version == "1"


def test_the_sdk_bot_verifies_every_call_and_plays_a_whole_game(driver: Resident) -> None:
    class Sound(housubot.Bot):
        def choose(self, turn: housubot.Turn) -> str:
            return turn.otherwise()

    server = housubot.server(Sound(), ["whsec_AAAA"])
    with server:
        made = registered(f"http://127.0.0.1:{server.server_port}")
        server.RequestHandlerClass.secrets[:] = [str(made.signing_secret)]
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        game = driven_game(made.bot.player, house())
        driver.run_slice(lambda _: None, 60)
        server.shutdown()
        thread.join()

    assert Game.objects.get(pk=game).state == Game.State.OVER
    assert not Fault.objects.exists()


def test_time_over_the_deadline_comes_off_the_bank(driver: Resident) -> None:
    slow_once = playing(lambda turn: 0.5 if turn == 2 else 0.0)
    _, seat, _ = played(driver, slow_once, move_ms=300, bank_ms=20_000)
    assert 19_000 < seat.bank_ms <= 19_800
    assert not Fault.objects.exists()


def test_a_late_bot_gets_the_default_action_and_a_fault(driver: Resident) -> None:
    late_once = playing(lambda turn: 0.9 if turn == 1 else 0.0)
    _, seat, _ = played(driver, late_once, move_ms=300, bank_ms=100)
    fault = Fault.objects.get()
    assert (fault.kind, fault.evidence["attempts"]) == ("timeout", 1)
    assert (seat.faults, seat.bank_ms) == (1, 0)


def test_a_cold_start_is_no_fault_and_on_no_clock(driver: Resident) -> None:
    game, seat, _ = played(driver, playing(lambda _: 0.0, deaf=2))
    assert (game.state, seat.faults, seat.bank_ms) == ("over", 0, 0)


def test_a_5xx_is_asked_again_with_the_same_id_inside_the_same_deadline(driver: Resident) -> None:
    ids: list[str] = []

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            line, headers, body = await read_request(reader)
            if line.startswith("GET"):
                writer.write(answer(SAYING))
                continue
            message = json.loads(body)
            if message["type"] == "turn" and headers["webhook-id"] not in ids:
                ids.append(headers["webhook-id"])
                writer.write(answer(b"", "502 Bad Gateway"))
                continue
            assert headers["webhook-id"] == message["request_id"].lower()
            action = housubot.Turn(message).otherwise() if message["type"] == "turn" else ""
            writer.write(answer(json.dumps({"action": action}).encode()))

    _, seat, _ = played(driver, script)
    assert ids and seat.faults == 0


def test_a_lost_connection_is_tried_again_with_the_same_id(driver: Resident) -> None:
    ids: list[str] = []

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            line, headers, body = await read_request(reader)
            message = json.loads(body or b"{}")
            if message.get("type") == "turn" and headers["webhook-id"] not in ids:
                ids.append(headers["webhook-id"])
                return
            reply = {"action": housubot.Turn(message).otherwise()} if "view" in message else {}
            writer.write(answer(SAYING if line.startswith("GET") else json.dumps(reply).encode()))

    game, seat, _ = played(driver, script)
    assert (game.state, seat.faults) == ("over", 0)
    assert len(ids) > 3


def test_a_fault_shows_where_the_time_of_its_call_went(driver: Resident) -> None:
    late_once = playing(lambda turn: 0.9 if turn == 1 else 0.0)
    played(driver, late_once, move_ms=300)
    timings = Fault.objects.get().evidence["timings"]
    names = ("queue", "dns", "connect", "tls", "first_byte", "last_byte", "parse", "total")
    assert set(timings) == {"reused", *(f"{name}_ms" for name in names)}
    assert 300 <= timings["total_ms"] < 800
    assert timings["parse_ms"] < 100


def test_a_stalled_loop_of_ours_costs_a_bot_nothing(driver: Resident) -> None:
    """The driver's loop stands still over the deadline while the bot's answer lies waiting."""
    stalled: list[int] = []

    def think(turn: int) -> float:
        if turn == 3 and not stalled:
            stalled.append(turn)
            driver.loop.call_soon_threadsafe(time.sleep, 1.5)
            return 0.2
        return 0.0

    _, seat, _ = played(driver, playing(think), move_ms=600, bank_ms=0)
    assert stalled and seat.faults == 0
    assert not Fault.objects.exists()
    assert Stall.objects.get().evidence["asked"]["type"] == "turn"


def test_a_bot_that_is_late_whenever_it_is_asked_gets_a_fault_though_we_stalled_once(
    driver: Resident,
) -> None:
    """The same turn is asked again after our stall, and then the bot is late by itself."""
    stalled: list[int] = []

    def think(turn: int) -> float:
        if turn == 2 and not stalled:
            stalled.append(turn)
            driver.loop.call_soon_threadsafe(time.sleep, 1.5)
        return 2.0 if turn in (2, 3) else 0.0

    _, seat, _ = played(driver, playing(think), move_ms=500, bank_ms=0)
    assert Stall.objects.count() == 1
    assert [fault.kind for fault in Fault.objects.all()] == ["timeout"]
    assert seat.faults == 1


def test_a_retired_bot_is_not_waited_for_and_the_stand_in_plays(driver: Resident) -> None:
    with running(playing(lambda _: 0.0)) as port:
        bot = robo(f"http://127.0.0.1:{port}")
        Bot.objects.filter(pk=bot.pk).update(state=Bot.State.RETIRED)
        game = driven_game(bot.player, house())
        began = time.monotonic()
        driver.run_slice(lambda _: None, 60)

    assert time.monotonic() - began < 15
    assert Game.objects.get(pk=game).state == Game.State.OVER
    assert [fault.kind for fault in Fault.objects.all()] == ["connect"] * 3
