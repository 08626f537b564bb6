"""A bot's slots hold over all processes: here two of them, each with a connection of its own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

import pytest
from django.db import connection

from bots_api.lines.slots import IDLE_S, Keeper, Slots
from bots_api.models import Fault
from bots_api.sdk import housubot
from bots_api.services import slots as locks
from games.driver.commits import DatabaseThread
from games.driver.resident import Resident
from games.models import Game
from tests.bots_api.cast import driven_game, house, robo
from tests.raw_server import answer, read_request, running

pytestmark = pytest.mark.django_db(transaction=True)

BOT = 17
PATIENCE_S = 60.0


@asynccontextmanager
async def process(width: int) -> AsyncIterator[Slots]:
    """The slots of one bot in one process."""
    thread = DatabaseThread("slots")
    keeper = Keeper(thread.run)
    slots = keeper.of(BOT)
    slots.width = width
    try:
        yield slots
    finally:
        await keeper.close()
        await thread.close()


class Bot:
    """Counts the turns that are open at it."""

    def __init__(self) -> None:
        self.open = self.most = 0

    async def turn(self, slots: Slots, seconds: float) -> float:
        async with slots as waited_ms:
            self.open += 1
            self.most = max(self.most, self.open)
            await asyncio.sleep(seconds)
            self.open -= 1
        return waited_ms


@pytest.mark.parametrize("width", [1, 2, 5])
def test_never_more_turns_are_open_than_the_bot_takes_and_every_process_gets_on(
    width: int,
) -> None:
    async def play() -> tuple[int, int]:
        bot = Bot()
        async with process(width) as one, process(width) as other:
            turns = [bot.turn(slots, 0.02) for slots in (one, other) for _ in range(12 * width)]
            await asyncio.wait_for(asyncio.gather(*turns), PATIENCE_S)
        return bot.most, bot.open

    assert asyncio.run(play()) == (width, 0)


def test_a_process_that_never_rests_lets_others_have_their_turn() -> None:
    async def play() -> bool:
        bot, done = Bot(), asyncio.Event()

        async def busy(slots: Slots) -> None:
            while not done.is_set():
                await bot.turn(slots, 0.01)

        async with process(1) as one, process(1) as other:
            tasks = [asyncio.create_task(busy(one)) for _ in range(3)]
            await asyncio.sleep(0.2)
            await asyncio.wait_for(bot.turn(other, 0), PATIENCE_S)
            done.set()
            await asyncio.gather(*tasks)
        return bot.most == 1

    assert asyncio.run(play())


def test_without_others_a_slot_is_kept_and_costs_the_database_nothing() -> None:
    async def play() -> int:
        asked = 0
        thread = DatabaseThread("slots")

        async def counting(function: object, *given: object) -> object:
            nonlocal asked
            asked += function is locks.claim
            return await thread.run(function, *given)  # type: ignore[arg-type]

        keeper, bot = Keeper(counting), Bot()
        slots = keeper.of(BOT)
        for _ in range(50):
            await bot.turn(slots, 0)
        await keeper.close()
        await thread.close()
        return asked

    assert asyncio.run(play()) == 1


def test_a_process_that_dies_gives_its_slots_back() -> None:
    async def play() -> None:
        async with process(1) as one:
            bot = Bot()
            await bot.turn(one, 0)
            async with process(1) as other:
                waiting = asyncio.create_task(bot.turn(other, 0))
                await asyncio.sleep(0.1)
                assert not waiting.done()
                # The end of its connection is all that a killed process leaves behind.
                await one._keeper.run_db(_hang_up)
                await asyncio.wait_for(waiting, PATIENCE_S)

    def _hang_up() -> None:
        connection.close()

    asyncio.run(play())


def test_what_lies_idle_goes_back_by_itself() -> None:
    async def play() -> None:
        async with process(1) as one, process(1) as other:
            bot = Bot()
            await bot.turn(one, 0)
            one._used_at -= IDLE_S
            await asyncio.wait_for(bot.turn(other, 0), PATIENCE_S)

    asyncio.run(play())


def test_who_waits_in_line_is_told_how_long() -> None:
    async def play() -> list[float]:
        bot = Bot()
        async with process(1) as slots:
            return await asyncio.gather(*(bot.turn(slots, 0.05) for _ in range(3)))

    first, _, last = asyncio.run(play())
    assert first < last and last >= 90


def test_two_worker_processes_never_have_more_turns_open_at_a_bot_than_it_takes(
    settings: Any,
) -> None:
    """Two drivers with loops and connections of their own, six games of one bot that takes one."""
    settings.EGRESS_ALLOW = ["loopback"]
    now, most = 0, 0

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal now, most
        while True:
            line, _, body = await read_request(reader)
            if line.startswith("GET"):
                hello = {"protocol": 1, "version": "1", "presets": ["table"]}
                writer.write(answer(json.dumps(hello).encode()))
                continue
            message = json.loads(body)
            now += 1
            most = max(most, now)
            await asyncio.sleep(0.005)
            now -= 1
            turn = message["type"] == "turn"
            reply = {"action": housubot.Turn(message).otherwise()} if turn else {}
            writer.write(answer(json.dumps(reply).encode()))

    with running(script) as port:
        bot = robo(f"http://127.0.0.1:{port}", concurrency=1)
        games = [driven_game(bot.player, house(), max_plies=100) for _ in range(6)]
        drivers = [Resident(), Resident()]
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda driver: driver.run_slice(lambda _: None, 60), drivers))
        for driver in drivers:
            driver.close()

    assert most == 1
    assert Game.objects.filter(pk__in=games, state=Game.State.OVER).count() == 6
    assert not Fault.objects.exists()


def test_a_bot_that_takes_fewer_from_now_on_gets_no_more_from_any_process() -> None:
    async def play() -> int:
        async with process(4) as one, process(4) as other:
            warm, bot = Bot(), Bot()
            await asyncio.gather(*(warm.turn(one, 0.05) for _ in range(4)))
            one._held.sort(reverse=True)
            await one._keeper.run_db(locks.give_back, BOT, [one._held.pop()])
            # What is left are numbers 2 to 4, and the bot takes one at a time.
            one.width = other.width = 1
            turns = [bot.turn(slots, 0.02) for slots in (one, other) for _ in range(20)]
            await asyncio.wait_for(asyncio.gather(*turns), PATIENCE_S)
            return bot.most

    assert asyncio.run(play()) == 1


def test_who_is_called_off_while_it_claims_keeps_nobody_out() -> None:
    async def play() -> None:
        async with process(1) as one, process(1) as other:
            bot, claiming = Bot(), asyncio.Event()
            quick = one._keeper.run_db

            async def slow(function: Any, *given: Any) -> Any:
                claiming.set()
                await asyncio.sleep(0.1)
                return await quick(function, *given)

            one._keeper.run_db = slow
            turn = asyncio.create_task(bot.turn(one, 0))
            await claiming.wait()
            turn.cancel()
            await asyncio.gather(turn, return_exceptions=True)
            await asyncio.sleep(0.5)
            one._used_at -= IDLE_S
            await asyncio.wait_for(bot.turn(other, 0), PATIENCE_S)

    asyncio.run(play())


def test_a_look_in_the_middle_of_a_claim_does_not_lose_sight_of_it() -> None:
    async def play() -> None:
        async with process(1) as one, process(1) as other:
            bot, quick = Bot(), one._keeper.run_db

            async def looked_at_meanwhile(function: Any, *given: Any) -> Any:
                if function is locks.claim:
                    await one._keeper._share()
                return await quick(function, *given)

            one._keeper.run_db = looked_at_meanwhile
            await bot.turn(one, 0)
            assert one in one._keeper._active
            await asyncio.wait_for(bot.turn(other, 0), PATIENCE_S)

    asyncio.run(play())


def test_a_process_that_is_frozen_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "SILENT_S", 2)

    async def play() -> None:
        async with process(1) as one, process(1) as other:
            bot = Bot()
            await bot.turn(one, 0)
            looking = one._keeper._looking
            assert looking is not None
            looking.cancel()
            await asyncio.wait_for(bot.turn(other, 0), PATIENCE_S)
            # It wakes up: what it held is gone, and it gets on with a new connection.
            await asyncio.gather(one._keeper.run_db(locks.wanted), return_exceptions=True)
            one._keeper.watch(one)
            await asyncio.gather(*(bot.turn(slots, 0.01) for slots in (one, other, one)))
            assert bot.most == 1

    asyncio.run(play())


def test_who_holds_nothing_may_be_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "SILENT_S", 2)

    async def play() -> None:
        async with process(1) as one:
            await Bot().turn(one, 0)
            one._used_at -= IDLE_S
            while one._held or one._keeper._active:
                await asyncio.sleep(0.05)
            await asyncio.sleep(3)
            await one._keeper.run_db(locks.wanted)

    asyncio.run(play())
