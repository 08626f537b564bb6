"""The driver plays driven games from the row to the record, and leaves what it loses alone."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, transaction

from games.agents import Answer, Fault, GameEnd, GameStart, Host, Turn
from games.driver.resident import Resident
from games.engine import rules_from
from games.models import Deck, Game, GameRecord, Player, Seat
from games.services.rules_cards import stored
from games.services.table_games import TableGame, TableSeatSpec, create_table_game

pytestmark = pytest.mark.django_db(transaction=True)

FAULTS: list[tuple[int, int]] = []


class Mute:
    """An agent that never has an answer."""

    def __init__(self, ref: str, host: Host) -> None:
        self.ended = 0

    async def wake(self) -> None: ...

    async def start(self, start: GameStart) -> str:
        return "mute"

    async def choose(self, turn: Turn) -> Answer:
        return Answer(None, spent_ms=1500, fault=Fault("timeout", {}))

    async def end(self, end: GameEnd) -> None: ...

    def write_fault(self, turn: Turn, fault: Fault) -> None:
        FAULTS.append((turn.seat, turn.move_number))


class Cheat(Mute):
    """An agent that names cards it does not hold."""

    async def choose(self, turn: Turn) -> Answer:
        return Answer("P:*4*4")


class Thinker(Mute):
    """An agent that has no answer until it is told to have one."""

    enough = threading.Event()

    async def choose(self, turn: Turn) -> Answer:
        while not self.enough.is_set():
            await asyncio.sleep(0.01)
        return await super().choose(turn)


class Poison(Mute):
    """An agent whose faults the database does not take."""

    def write_fault(self, turn: Turn, fault: Fault) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT jsonb '\"\\udcff\"'")


@pytest.fixture
def driver(settings: Any) -> Iterator[Resident]:
    settings.SEAT_AGENTS = {
        **settings.SEAT_AGENTS,
        "mute": "tests.games.driver.test_slices.Mute",
        "cheat": "tests.games.driver.test_slices.Cheat",
        "thinker": "tests.games.driver.test_slices.Thinker",
        "poison": "tests.games.driver.test_slices.Poison",
    }
    FAULTS.clear()
    resident = Resident()
    yield resident
    resident.close()


def a_game(number: int, *refs: str, preset: str = "table") -> UUID:
    """A driven game of a table that nobody has settled, with these agents in its seats."""
    rules = rules_from(preset)
    owner, _ = Player.objects.get_or_create(name="oskari", name_key="oskari", kind="person")
    players = [
        Player.objects.get_or_create(
            name=ref, name_key=f"{ref}{i}", kind="bot", owner=owner, agent_ref=ref
        )[0]
        for i, ref in enumerate(refs)
    ]
    with transaction.atomic():
        spec = TableGame(
            rules_id=stored(rules).pk,
            rules=rules,
            table_ref=number,
            competition_ref=1,
            deal_number=1,
            redeal=0,
            dealer=0,
            seats=tuple(
                TableSeatSpec(p.pk, i + 1, r)
                for i, (p, r) in enumerate(zip(players, refs, strict=True))
            ),
            server_seed=number.to_bytes(32, "big"),
            move_ms=1000,
            bank_ms=2000,
        )
        return create_table_game(spec).pk


def test_a_slice_plays_every_due_game_to_its_record(driver: Resident) -> None:
    games = [a_game(n, "house:lowest", "house:random", "house:lowest") for n in range(1, 5)]
    ended: list[UUID] = []

    assert driver.run_slice(ended.append, 30) == 0

    assert sorted(ended) == sorted(games)
    assert GameRecord.objects.filter(pk__in=games).count() == len(games)
    assert set(Game.objects.values_list("state", flat=True)) == {"over"}


@pytest.mark.parametrize("preset", ["table", "classic", "feeding", "valepaska"])
def test_the_same_deck_gives_the_same_game_in_every_preset(driver: Resident, preset: str) -> None:
    first = a_game(1, "house:lowest", "house:random", preset=preset)
    driver.run_slice(lambda _: None, 30)
    actions = GameRecord.objects.get(pk=first).log
    for table in (GameRecord, Game, Deck):
        table.objects.all().delete()

    again = a_game(1, "house:lowest", "house:random", preset=preset)
    driver.run_slice(lambda _: None, 30)

    assert GameRecord.objects.get(pk=again).log == actions


@pytest.mark.parametrize("ref", ["mute:1", "cheat:1"])
def test_a_bot_without_an_answer_gets_defaults_then_a_stand_in(driver: Resident, ref: str) -> None:
    game = a_game(1, ref, "house:lowest")

    driver.run_slice(lambda _: None, 30)

    row = Game.objects.get(pk=game)
    seat = Seat.objects.get(game=game, index=0)
    assert row.state == Game.State.OVER
    assert bytes(row.by).count(1) == 3
    assert 2 in bytes(row.by)
    assert (seat.faults, seat.stand_in_at is not None) == (3, True)
    assert FAULTS == [(0, 1), (0, 2), (0, 3)]


def test_time_over_the_deadline_comes_off_the_bank(driver: Resident) -> None:
    game = a_game(1, "mute:1", "house:lowest")

    driver.run_slice(lambda _: None, 30)

    assert Seat.objects.get(game=game, index=0).bank_ms == 2000 - 3 * 500


def test_two_drivers_at_once_play_every_game_once(driver: Resident) -> None:
    games = [a_game(n, "house:lowest", "house:random") for n in range(1, 7)]
    ended: list[UUID] = []
    others = [Resident() for _ in range(3)]

    threads = [
        threading.Thread(target=resident.run_slice, args=(ended.append, 30))
        for resident in (driver, *others)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for other in others:
        other.close()

    assert sorted(ended) == sorted(games)
    assert GameRecord.objects.count() == len(games)


def test_a_move_that_the_database_refuses_takes_no_other_down(driver: Resident) -> None:
    bad = a_game(1, "poison:1", "house:lowest")
    good = [a_game(n, "mute:1", "house:lowest", "house:random") for n in range(2, 8)]

    driver.run_slice(lambda _: None, 30)

    assert Game.objects.get(pk=bad).ply == 0
    assert set(Game.objects.filter(pk__in=good).values_list("state", flat=True)) == {"over"}


def test_a_bot_that_thinks_long_holds_up_no_later_slice(driver: Resident) -> None:
    Thinker.enough.clear()
    slow = a_game(1, "thinker:1", "house:lowest")
    assert driver.run_slice(lambda _: None, 0.1) == 1

    other = a_game(2, "house:lowest", "house:lowest")
    driver.run_slice(lambda _: None, 30)
    assert Game.objects.get(pk=other).state == Game.State.OVER
    assert Game.objects.get(pk=slow).ply == 0

    Thinker.enough.set()
    while Game.objects.get(pk=slow).state != Game.State.OVER:
        driver.run_slice(lambda _: None, 1)
    assert Seat.objects.get(game=slow, index=0).faults == 3


def test_a_game_whose_lease_is_lost_is_left_alone(driver: Resident) -> None:
    game = a_game(1, "house:lowest", "house:lowest")
    Game.objects.filter(pk=game).update(lease_owner="other", lease_until="2100-01-01T00:00Z")

    driver.run_slice(lambda _: None, 2)

    assert Game.objects.get(pk=game).ply == 0
