"""Bots that fail together, that go and come back, and a worker that stands still with its bots."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.conf import settings as django_settings
from django.db import connection

from bots_api.models import Fault, Stall
from bots_api.sdk import housubot
from games.driver.resident import Resident
from games.models import Game, Seat
from tests.bots_api.cast import driven_game, house, owner, robo
from tests.hostile import KINDS, SAYING, hostile_bots
from tests.raw_server import Script, answer, in_thread, read_request, running

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def driver(settings: Any) -> Iterator[Resident]:
    settings.EGRESS_ALLOW = ["loopback"]
    resident = Resident()
    yield resident
    resident.close()


def choosing(instead: dict[str, list[bytes | float]]) -> Script:
    """A sound bot, but for phases in which it sends something else; a number is a wait."""

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            line, _, body = await read_request(reader)
            message = {} if line.startswith("GET") else json.loads(body)
            phase = message["view"]["phase"] if message.get("type") == "turn" else None
            if phase in instead:
                for part in instead[phase]:
                    if isinstance(part, bytes):
                        writer.write(part)
                    else:
                        await asyncio.sleep(part)
                continue
            reply = {"action": housubot.Turn(message).otherwise()} if phase else {}
            writer.write(answer(json.dumps(reply).encode() if message else SAYING))

    return script


def test_two_bots_that_fail_in_the_same_second_are_judged_each_by_its_own_call(
    driver: Resident,
) -> None:
    of = owner()
    silent = choosing({"respond": [0.7]})
    rude = choosing({"respond": [answer(b"", "418 Teapot")]})
    with running(silent) as one, running(rude) as two, running(choosing({})) as three:
        bots = [
            robo(f"http://127.0.0.1:{port}", name, of=of)
            for port, name in ((one, "Hiljainen"), (two, "Tuhma"), (three, "Kunnon"))
        ]
        players = [bot.player for bot in bots]
        game = driven_game(*players, move_ms=400, preset="valepaska")
        driver.run_slice(lambda _: None, 60)

    assert Game.objects.get(pk=game).state == Game.State.OVER
    kinds = Counter(Fault.objects.values_list("bot", "kind"))
    assert kinds == {(bots[0].pk, "timeout"): 3, (bots[1].pk, "http_status"): 3}
    first, second = (Fault.objects.filter(bot=bot).order_by("pk")[0] for bot in bots[:2])
    assert abs((first.at - second.at).total_seconds()) < 1


@pytest.mark.parametrize(
    ("preset", "sign"),
    [("table", "S"), ("classic", "P:"), ("table", "B"), ("feeding", "X"), ("valepaska", "!")],
    ids=["swap", "play", "blind", "chance", "respond"],
)
def test_a_bot_that_is_silent_in_one_phase_gets_a_legal_default_there(
    driver: Resident, preset: str, sign: str
) -> None:
    """`sign` is what only that kind of decision has among its legal actions."""
    silent = 0

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal silent
        while True:
            line, _, body = await read_request(reader)
            message = {} if line.startswith("GET") else json.loads(body)
            turn = message.get("type") == "turn"
            if turn and any(action.startswith(sign) for action in message["legal"]):
                silent += 1
                await asyncio.sleep(30)
            reply = {"action": housubot.Turn(message).otherwise()} if turn else {}
            writer.write(answer(json.dumps(reply).encode() if message else SAYING))

    with running(script) as port:
        bot = robo(f"http://127.0.0.1:{port}")
        games = [
            driven_game(bot.player, house(), move_ms=300, preset=preset, max_plies=400)
            for _ in range(6)
        ]
        driver.run_slice(lambda _: None, 120)

    assert silent
    assert Game.objects.filter(pk__in=games, state=Game.State.OVER).count() == len(games)
    faults = list(Fault.objects.all())
    assert {fault.kind for fault in faults} == {"timeout"}
    for fault in faults:
        assert any(action.startswith(sign) for action in fault.evidence["asked"]["legal"])


def test_when_all_bots_fail_the_game_still_ends(driver: Resident) -> None:
    with in_thread(hostile_bots()) as urls:
        of = owner()
        names = ("stall", "teapot", "hang-up", "illegal")
        players = [robo(urls[name], f"Bad {name}", of=of).player for name in names]
        game = driven_game(*players, move_ms=200)
        driver.run_slice(lambda _: None, 60)

    assert Game.objects.get(pk=game).state == Game.State.OVER
    assert set(Seat.objects.filter(game=game).values_list("faults", flat=True)) == {3}
    found = Counter(Fault.objects.values_list("kind", flat=True))
    assert found == Counter({KINDS[name].fault.value: 3 for name in names})


def test_a_bot_whose_process_restarts_in_the_middle_plays_on_without_a_fault(
    driver: Resident,
) -> None:
    served = threading.Event()

    def think(_: int) -> float:
        served.set()
        return 0.05

    from tests.bots_api.test_clocks import playing  # noqa: PLC0415

    with running(playing(think)) as port:
        bot = robo(f"http://127.0.0.1:{port}")
        game = driven_game(bot.player, house(), max_plies=100)
        thread = threading.Thread(target=driver.run_slice, args=(lambda _: None, 60))
        thread.start()
        assert served.wait(30)
    time.sleep(1.5)
    served.clear()
    with running(playing(think), port):
        thread.join()

    assert served.is_set(), "it was never asked again"
    assert Game.objects.get(pk=game).state == Game.State.OVER
    assert not Fault.objects.exists()


WORKER = """
import django; django.setup()
from games.driver.resident import Resident
driver = Resident()
print("ready", flush=True)
driver.run_slice(lambda _: None, 60)
driver.close()
"""


@contextlib.contextmanager
def worker() -> Iterator[subprocess.Popen[str]]:
    """A worker process of its own on this test's database, ready to drive."""
    address = urlsplit(os.environ["DATABASE_URL"])
    name = connection.settings_dict["NAME"]
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": urlunsplit(address._replace(path=f"/{name}")),
        "SECRET_KEY": django_settings.SECRET_KEY,
        "EGRESS_ALLOW": "loopback",
    }
    process = subprocess.Popen(
        [sys.executable, "-c", WORKER], env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()  # type: ignore[union-attr]


class Thinking:
    """Two kinds of bots: sound ones, and one that stalls whenever a certain turn is asked."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.stalled = 0

    def script(self, stalls_at: int | None) -> Script:
        async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while True:
                line, _, body = await read_request(reader)
                message = {} if line.startswith("GET") else json.loads(body)
                reply = {}
                if message.get("type") == "turn":
                    await asyncio.sleep(self._pause(message["move_number"], stalls_at))
                    reply = {"action": housubot.Turn(message).otherwise()}
                writer.write(answer(json.dumps(reply).encode() if message else SAYING))

        return script

    def _pause(self, move_number: int, stalls_at: int | None) -> float:
        if move_number != stalls_at:
            return 0.2
        self.stalled += 1
        self.asked.set()
        return 3.0


def test_a_worker_that_stands_still_for_three_seconds_faults_no_sound_bot(settings: Any) -> None:
    """SIGSTOP of the worker with every bot on the move; one of them stalls by itself as well."""
    settings.EGRESS_ALLOW = ["loopback"]
    thinking = Thinking()
    with running(thinking.script(None)) as sound, running(thinking.script(2)) as stalling:
        of = owner()
        good = [robo(f"http://127.0.0.1:{sound}", f"Kunnon {n}", of=of) for n in range(3)]
        bad = robo(f"http://127.0.0.1:{stalling}", "Jumi", of=of)
        for bot in (*good, bad):
            driven_game(bot.player, house(), move_ms=1000, bank_ms=0)
        with worker() as process:
            assert thinking.asked.wait(60)
            process.send_signal(signal.SIGSTOP)
            time.sleep(3)
            process.send_signal(signal.SIGCONT)
            assert process.wait(120) == 0

    assert set(Game.objects.values_list("state", flat=True)) == {"over"}
    faults = Counter(Fault.objects.values_list("bot", "kind"))
    assert faults == {(bad.pk, "timeout"): 1}
    # Asked again after each stall of ours, one at least, and late by itself the last time.
    assert thinking.stalled == Stall.objects.filter(bot=bad).count() + 1 >= 2
