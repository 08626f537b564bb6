"""The database hangs up on everybody while turns are out and slots are held: games go on."""

from __future__ import annotations

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, connections

from bots_api.models import Fault
from bots_api.sdk import housubot
from games.driver.resident import Resident
from games.models import Game, Seat
from tests.bots_api.cast import driven_game, house, robo
from tests.raw_server import answer, read_request, running

pytestmark = pytest.mark.django_db(transaction=True)

SAYING = b'{"protocol": 1, "version": "1", "presets": ["table"], "concurrency": 2}'
_HANG_UP = """
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


def hang_up() -> None:
    """End every session, as a restart does; this thread's own too."""
    with connection.cursor() as cursor:
        cursor.execute(_HANG_UP)
    connections.close_all()


def test_sessions_that_the_database_ends_cost_no_bot_a_fault_and_no_slot(settings: Any) -> None:
    settings.EGRESS_ALLOW = ["loopback"]
    now, most, turns = 0, 0, 0
    due = {40: threading.Event(), 120: threading.Event()}

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal now, most, turns
        while True:
            line, _, body = await read_request(reader)
            if line.startswith("GET"):
                writer.write(answer(SAYING))
                continue
            message = json.loads(body)
            now, turns = now + 1, turns + 1
            most = max(most, now)
            if lost := due.get(turns):
                # With this turn out and its slot held.
                await asyncio.to_thread(hang_up)
                lost.set()
            await asyncio.sleep(0.002)
            now -= 1
            turn = message["type"] == "turn"
            reply = {"action": housubot.Turn(message).otherwise()} if turn else {}
            writer.write(answer(json.dumps(reply).encode()))

    with running(script) as port:
        bot = robo(f"http://127.0.0.1:{port}", concurrency=2)
        games = [driven_game(bot.player, house(), bank_ms=60_000) for _ in range(4)]
        connection.close()
        drivers = [Resident(), Resident()]

        def played_to_the_end(driver: Resident) -> None:
            # A game whose commit was lost is leased for ten seconds more.
            for _ in range(60):
                try:
                    driver.run_slice(lambda _: None, 5)
                    if not Game.objects.exclude(state=Game.State.OVER).exists():
                        break
                except Exception:
                    # The slice could not claim: the task fails and the sweep wakes another.
                    continue
                finally:
                    connections.close_all()

        with ThreadPoolExecutor(2) as pool:
            list(pool.map(played_to_the_end, drivers))
        for driver in drivers:
            driver.close()
        connection.close()

    assert all(event.is_set() for event in due.values())
    assert Game.objects.filter(pk__in=games, state=Game.State.OVER).count() == 4
    assert not Fault.objects.exists()
    assert not Seat.objects.filter(stand_in_at__isnull=False).exists()
    # Turns that are out when the connection goes are not counted until they end.
    assert most <= 4
