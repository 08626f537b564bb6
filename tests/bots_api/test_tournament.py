"""A whole tournament of eight bots that are called and eight that connect: nobody has a fault."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connections

from bots_api.models import Bot, BotVersion, Fault, OpenTurn
from bots_api.sdk import housubot
from games.driver.resident import Resident
from games.models import Player
from games.services.progress import Progress
from games.tasks import follow_up
from league.models import Competition
from league.services import competitions
from tests.bots_api.cast import on_line, owner, puller
from tests.bots_api.test_pull import Sound, token_of, until
from tests.league import cast
from tests.web_server import serving

pytestmark = pytest.mark.django_db(transaction=True)

EACH = 8


@contextlib.contextmanager
def called(number: int) -> Iterator[Player]:
    """A bot that the service calls."""
    with on_line(Sound(), f"Kutsu {number}", owner(f"O {number}")) as made:
        yield made.bot.player


@contextlib.contextmanager
def connecting(web: str, number: int) -> Iterator[Player]:
    """A bot that connects out with the SDK."""
    made = puller(f"Veto {number}", of=owner(f"P {number}"))
    sdk = housubot.Puller(Sound(), web, token_of(made))
    thread = threading.Thread(target=sdk.run)
    thread.start()
    until(lambda: BotVersion.objects.filter(bot=made.bot).exists(), 60)
    yield made.bot.player
    sdk.stop()
    thread.join()


def test_a_tournament_of_sound_bots_of_both_kinds_ends_without_a_fault(settings: Any) -> None:
    settings.EGRESS_ALLOW = ["loopback"]
    driver = Resident()
    with contextlib.ExitStack() as stack:
        web = stack.enter_context(serving())
        players = [stack.enter_context(called(number)) for number in range(EACH)]
        players += [stack.enter_context(connecting(web, number)) for number in range(EACH)]
        cup = cast.cup(players, {"table_size": 4, "deals_per_table": 1})
        competitions.start(cup.pk)
        for _ in range(40):
            driver.run_slice(lambda game_id: follow_up(Progress(over=(game_id,))), 15)
            cup.refresh_from_db()
            if cup.state == Competition.State.FINISHED:
                break
        driver.close()
    connections.close_all()

    assert cup.state == Competition.State.FINISHED
    assert not Fault.objects.exists()
    played = {
        (turn.bot_id, turn.reply is not None) for turn in OpenTurn.objects.filter(kind="turn")
    }
    pulling = set(Bot.objects.filter(transport="pull").values_list("pk", flat=True))
    assert played == {(bot_id, True) for bot_id in pulling}
