"""What an owner changes in the middle of a game holds at once, and costs a sound bot nothing."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connections

from bots_api.models import Bot, Fault, Secret
from bots_api.sdk import housubot
from bots_api.services import life, secrets
from games.driver.resident import Resident
from games.models import Game, Seat
from tests.bots_api.cast import driven_game, house, puller, registered, robo
from tests.bots_api.test_pull import Sound, playing, until, web
from tests.raw_server import Script, answer, read_request, running

__all__ = ["web"]

pytestmark = pytest.mark.django_db(transaction=True)

SAYING = b'{"protocol": 1, "version": "1", "presets": ["table"], "concurrency": 8}'


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots_api.agents.pull.PATIENCE_S", 0.5)


@pytest.fixture
def driver(settings: Any) -> Iterator[Resident]:
    settings.EGRESS_ALLOW = ["loopback"]
    resident = Resident()
    yield resident
    resident.close()


def counting(turns: list[str], at_third: Callable[[], None] | None = None) -> Script:
    """A sound bot; before it answers its third turn `at_third` is done, and then it is gone."""

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            line, _, body = await read_request(reader)
            if at_third is not None and len(turns) >= 3:
                writer.transport.abort()
                return
            if line.startswith("GET"):
                writer.write(answer(SAYING))
                continue
            message = json.loads(body)
            turn = message["type"] == "turn"
            if turn:
                turns.append(message["request_id"])
                if at_third is not None and len(turns) == 3:
                    await asyncio.to_thread(at_third)
            reply = {"action": housubot.Turn(message).otherwise()} if turn else {}
            writer.write(answer(json.dumps(reply).encode()))

    return script


def played(driver: Resident, bot: Bot, **clock: Any) -> tuple[Game, Seat]:
    game = driven_game(bot.player, house(), **clock)
    driver.run_slice(lambda _: None, 120)
    return Game.objects.get(pk=game), Seat.objects.get(game=game, index=0)


def changed(bot: Bot, **changes: str) -> None:
    """By another thread than the test's: its connection is of no use afterwards."""
    life.update(bot.pk, bot.player.owner_id or 0, changes)
    connections.close_all()


def test_a_bot_that_moves_to_another_url_in_the_middle_of_a_game_plays_on_there(
    driver: Resident,
) -> None:
    there: list[str] = []
    here: list[str] = []
    bot: Bot
    with running(counting(there)) as new:
        move = lambda: changed(bot, url=f"http://127.0.0.1:{new}")  # noqa: E731
        with running(counting(here, move)) as old:
            bot = robo(f"http://127.0.0.1:{old}")
            game, seat = played(driver, bot, bank_ms=60_000)
    assert list(Fault.objects.values_list("kind", "evidence__detail")) == []
    assert (game.state, seat.faults) == (Game.State.OVER, 0)
    assert len(here) == 3 and there


def test_a_bot_that_is_called_no_more_but_connects_out_plays_on(driver: Resident, web: str) -> None:
    here: list[str] = []

    class Leaving(Sound):
        version = "1"

    with running(counting(here, lambda: changed(bot, transport="pull", url=""))) as old:
        made = registered(f"http://127.0.0.1:{old}")
        bot = made.bot
        sdk = housubot.Puller(Leaving(), web, made.token or "")
        connected = threading.Thread(target=sdk.run)
        connected.start()
        try:
            game, seat = played(driver, bot, bank_ms=60_000)
        finally:
            sdk.stop()
            connected.join()
    assert list(Fault.objects.values_list("kind", "evidence__detail")) == []
    assert (game.state, seat.faults) == (Game.State.OVER, 0)
    assert len(here) == 3


def test_a_bot_that_connected_out_is_called_from_its_next_turn_on(
    driver: Resident, web: str
) -> None:
    there: list[str] = []
    made = puller()

    with running(counting(there)) as port:

        class Leaving(Sound):
            turns = 0

            def choose(self, turn: housubot.Turn) -> str:
                Leaving.turns += 1
                if Leaving.turns == 3:
                    changed(made.bot, transport="webhook", url=f"http://127.0.0.1:{port}")
                return super().choose(turn)

        with playing(web, made, Leaving()):
            until(lambda: Bot.objects.get(pk=made.bot.pk).version_id is not None)
            game, seat = played(driver, made.bot, bank_ms=60_000)
    assert list(Fault.objects.values_list("kind", "evidence__detail")) == []
    assert (game.state, seat.faults) == (Game.State.OVER, 0)
    assert Leaving.turns == 3 and there


def test_secrets_that_change_in_the_middle_of_a_game_are_signed_with_at_once(
    driver: Resident,
) -> None:
    """The bot takes the new one alone from the moment at which its owner has it."""
    known = [""]

    def rotated() -> None:
        owner = made.bot.player.owner_id or 0
        known[0] = secrets.rotate(made.bot.pk, owner) or ""
        secrets.revoke(made.bot.pk, owner, Secret.objects.filter(bot=made.bot).earliest("pk").pk)
        connections.close_all()

    class Changing(Sound):
        turns = 0

        def choose(self, turn: housubot.Turn) -> str:
            Changing.turns += 1
            if Changing.turns == 3:
                rotated()
                server.RequestHandlerClass.secrets[:] = known
            return super().choose(turn)

    server = housubot.server(Changing(), ["whsec_AAAA"])
    made = registered(f"http://127.0.0.1:{server.server_port}")
    server.RequestHandlerClass.secrets[:] = [str(made.signing_secret)]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        game, seat = played(driver, made.bot, bank_ms=60_000)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert list(Fault.objects.values_list("kind", "evidence__detail")) == []
    assert (game.state, seat.faults) == (Game.State.OVER, 0)
    assert Changing.turns > 3
