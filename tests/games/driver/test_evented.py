"""Agents at a table of people: asked once, committed like anybody's move, given up if they fail."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from games.agents import Answer, Fault, HouseAgent, Turn
from games.driver.resident import Resident
from games.models import Game, Seat
from tests.games import cast

pytestmark = pytest.mark.django_db(transaction=True)


class Broken(HouseAgent):
    """An agent with a bug of ours in it."""

    async def choose(self, turn: Turn) -> Answer:
        raise RuntimeError("a bug")


FAULTS: list[tuple[int, str]] = []


class Mute(HouseAgent):
    """An agent that never has an answer; being woken takes a while, answering does not."""

    async def wake(self) -> None:
        await asyncio.sleep(0.3)

    async def choose(self, turn: Turn) -> Answer:
        return Answer(None, spent_ms=7, fault=Fault("timeout", {"status": 0}))

    def write_fault(self, turn: Turn, fault: Fault) -> None:
        FAULTS.append((turn.move_number, fault.kind))


@pytest.fixture
def driver() -> Iterator[Resident]:
    resident = Resident()
    yield resident
    resident.close()


def test_a_house_bot_plays_its_turns_at_a_table_of_people(driver: Resident) -> None:
    game_id, _ = cast.dealt(1, "classic", bots=1, max_plies=100)
    while (row := cast.row(game_id)).state == Game.State.PLAYING:
        if 0 in cast.engine_game(game_id).to_act():
            cast.play_default(game_id)
        else:
            driver.answer_evented(game_id)
            assert cast.row(game_id).ply > row.ply
    assert cast.row(game_id).attempts == 0


def test_an_agent_that_is_not_to_act_is_not_asked(driver: Resident) -> None:
    game_id, _ = cast.dealt(1, "classic", bots=1)
    while 0 not in cast.engine_game(game_id).to_act():
        driver.answer_evented(game_id)
    before = cast.row(game_id)
    assert not driver.answer_evented(game_id)
    assert cast.row(game_id).ply == before.ply


def test_a_failure_at_a_table_of_people_counts_as_an_attempt(
    driver: Resident, settings: Any
) -> None:
    settings.SEAT_AGENTS = {
        **settings.SEAT_AGENTS,
        "house": "tests.games.driver.test_evented.Broken",
    }
    game_id, _ = cast.dealt(1, "classic", bots=1)
    while 0 in cast.engine_game(game_id).to_act():
        cast.play_default(game_id)
    with pytest.raises(RuntimeError, match="a bug"):
        driver.answer_evented(game_id)
    row = cast.row(game_id)
    assert row.attempts == 1 and row.lease_owner


def test_a_fault_at_a_table_of_people_is_kept_and_waking_is_on_no_clock(
    driver: Resident, settings: Any
) -> None:
    settings.SEAT_AGENTS = {
        **settings.SEAT_AGENTS,
        "house": "tests.games.driver.test_evented.Mute",
    }
    FAULTS.clear()
    game_id, _ = cast.dealt(1, "classic", bots=1)
    while 0 in cast.engine_game(game_id).to_act():
        cast.play_default(game_id)
    Game.objects.filter(pk=game_id).update(move_ms=100)
    driver.answer_evented(game_id)
    seat = Seat.objects.get(game=game_id, index=1)
    assert FAULTS == [(1, "timeout")]
    assert (seat.faults, seat.bank_ms) == (1, cast.row(game_id).bank_ms)
