"""Turns that wait for room at a bot are seen: on its profile, its page, by dashboards."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import pytest

from bots_api.models import Traffic
from bots_api.queries import traffic
from bots_api.queries.traffic import Queue
from bots_api.sdk import housubot
from bots_api.services import traffic as telling
from games.driver.resident import Resident
from games.models import Game
from league.models import Competition
from league.services import competitions
from league.stream import passing
from tests.bots_api.cast import driven_game, house, puller, robo
from tests.games.api.client import Api
from tests.league import cast
from tests.raw_server import Script, answer, read_request, running

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE_S = 30.0


@contextmanager
def driving(games: list[UUID]) -> Iterator[None]:
    """A worker process that plays these games beside the block, to their end."""
    resident = Resident()
    slices = threading.Thread(target=resident.run_slice, args=(lambda _: None, 60))
    slices.start()
    yield
    slices.join()
    resident.close()
    assert Game.objects.filter(pk__in=games, state=Game.State.OVER).count() == len(games)


def seen(look: Callable[[], Any], wanted: Any) -> None:
    """Look until that is what is there."""
    until = time.monotonic() + PATIENCE_S
    while (found := look()) != wanted:
        assert time.monotonic() < until, found
        time.sleep(0.1)


def holding(gate: threading.Event) -> Script:
    """A bot that answers no turn before the gate opens."""

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            line, _, body = await read_request(reader)
            if line.startswith("GET"):
                writer.write(answer(b'{"protocol": 1, "version": "1", "presets": ["table"]}'))
                continue
            message = json.loads(body)
            turn = message["type"] == "turn"
            while turn and not gate.is_set():
                await asyncio.sleep(0.02)
            reply = {"action": housubot.Turn(message).otherwise()} if turn else {}
            writer.write(answer(json.dumps(reply).encode()))

    return script


def test_what_is_out_at_a_bot_and_what_waits_is_on_its_profile_and_page(settings: Any) -> None:
    settings.EGRESS_ALLOW = ["loopback"]
    gate = threading.Event()
    with running(holding(gate)) as port:
        bot = robo(f"http://127.0.0.1:{port}", concurrency=2)
        games = [driven_game(bot.player, house(), bank_ms=60_000) for _ in range(5)]
        api = Api()
        with driving(games):
            seen(lambda: api.get(f"/bots/{bot.pk}")["queue"], {"out": 2, "waiting": 3})
            assert api.get("/bots")["results"][0]["queue"] == {"out": 2, "waiting": 3}
            page = api.client.get(f"/b/{bot.player.name}/").content.decode()
            assert "2 out, 3 waiting" in page
            gate.set()
            seen(lambda: api.get(f"/bots/{bot.pk}")["queue"], {"out": 0, "waiting": 0})


def test_turns_of_a_bot_that_connects_out_wait_for_its_open_ones(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots_api.agents.pull.PATIENCE_S", 3.0)
    bot = puller(concurrency=1).bot
    games = [driven_game(bot.player, house(), move_ms=1000) for _ in range(3)]
    with driving(games):
        seen(lambda: traffic.queues([bot.pk])[bot.pk], Queue(1, 2))


def test_processes_are_added_up_and_one_that_is_gone_counts_for_nothing() -> None:
    telling.tell("one", {7: (2, 1), 8: (1, 0)})
    telling.tell("two", {7: (1, 3)})
    assert traffic.queues([7, 8, 9]) == {7: Queue(3, 4), 8: Queue(1, 0), 9: Queue()}

    telling.tell("one", {})
    assert traffic.queues([7]) == {7: Queue(1, 3)}

    long_ago = Traffic.objects.get().at - 2 * telling.FORGOTTEN
    Traffic.objects.update(at=long_ago)
    assert traffic.queues([7]) == {7: Queue()}
    telling.sweep()
    assert not Traffic.objects.exists()


def queue_of(cup: Competition) -> list[dict[str, int]]:
    shown = passing.look(cup.pk)
    assert shown is not None
    rows: list[dict[str, int]] = json.loads(shown.whole["queue"])["rows"]
    return rows


def test_who_follows_a_competition_is_told_in_passing_whose_turns_wait() -> None:
    bot, idle = puller().bot, puller("Laiska").bot
    cup = cast.cup([bot.player, idle.player, house()])
    competitions.start(cup.pk)
    newest, first = passing.Passing(), passing.look(cup.pk)
    assert first is not None and newest.take(first)
    assert b"event: queue" not in newest.after(0)

    telling.tell("one", {bot.pk: (1, 2), idle.pk: (1, 0)})
    assert queue_of(cup) == [{"player": bot.player_id, "out": 1, "waiting": 2}]
    look, busy = newest.looks, passing.look(cup.pk)
    assert busy is not None and newest.take(busy)
    assert newest.after(look).startswith(b'event: queue\ndata: {"rows":[{"player":')

    telling.tell("one", {})
    assert queue_of(cup) == []
