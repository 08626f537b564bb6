"""Bots that answer wrongly in every way: the game goes on, and the owner sees why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from bots_api.lines import line
from bots_api.models import Bot, Fault
from games.driver.resident import Resident
from games.models import Game
from tests.bots_api.cast import driven_game, house, owner, robo
from tests.hostile import KINDS, hostile_bots
from tests.raw_server import in_thread

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def driver(settings: Any) -> Iterator[Resident]:
    settings.EGRESS_ALLOW = ["loopback"]
    resident = Resident()
    yield resident
    resident.close()


def played(driver: Resident, kind: str) -> Bot:
    """A whole game of a bot of this kind."""
    with in_thread(hostile_bots()) as urls:
        bot = robo(urls[kind])
        driven_game(bot.player, house())
        driver.run_slice(lambda _: None, 60)
    return bot


def test_every_wrong_answer_is_a_fault_of_its_kind_and_the_game_goes_on(
    driver: Resident, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Those that can't even shake hands are waited for, which is on nobody's clock.
    monkeypatch.setattr(line, "WAKING_S", 0.5)
    games: dict[str, UUID] = {}
    with in_thread(hostile_bots()) as urls:
        for number, (name, url) in enumerate(urls.items()):
            bot = robo(url, f"Bad {name}", of=owner(f"Owner {number}"))
            games[name] = driven_game(bot.player, house(), move_ms=400)
        assert driver.run_slice(lambda _: None, 60) == 0

    assert set(Game.objects.values_list("state", flat=True)) == {"over"}
    for name, game in games.items():
        found = Counter(Fault.objects.filter(game_ref=game).values_list("kind", flat=True))
        assert found == {KINDS[name].fault.value: 3}, name
    assert max(fault.evidence["held_ms"] for fault in Fault.objects.all()) <= 400 + 500


def test_the_evidence_shows_what_was_asked_and_what_came(driver: Resident) -> None:
    bot = played(driver, "teapot")
    evidence = Fault.objects.filter(bot=bot).order_by("pk")[0].evidence
    assert evidence["status"] == 418
    assert evidence["body"] == '{"action": "U"}'
    assert len(evidence["sha256"]) == 64
    assert evidence["asked"]["type"] == "turn"
    assert set(evidence["asked"]["game"]) == {"id", "rules", "players", "dealer", "competition"}
    assert evidence["timings"]["first_byte_ms"] is not None
    assert evidence["detail"] == "status 418 instead of 200"


def test_an_illegal_action_comes_with_the_rule_and_the_legal_ones(driver: Resident) -> None:
    bot = played(driver, "malformed")
    evidence = Fault.objects.filter(bot=bot).order_by("pk")[0].evidence
    assert (evidence["code"], evidence["action"]) == ("malformed_action", "hello")
    assert evidence["legal"] and evidence["sha256"]
