"""Races with real threads and connections: one decision, one action, whoever comes first."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import TypeVar
from uuid import UUID

import pytest
from django.db import connection

from games import engine
from games.errors import GameFullError, StaleMoveError
from games.models import Player
from games.services import lobby
from games.services.moves import Acted, act
from tests.games import cast

pytestmark = pytest.mark.django_db(transaction=True)

Result = TypeVar("Result")


def at_once(tasks: list[Callable[[], Result]]) -> list[Result]:
    """Run the tasks at the same moment, each in a thread with a connection of its own."""
    barrier = Barrier(len(tasks))

    def run(task: Callable[[], Result]) -> Result:
        try:
            barrier.wait()
            return task()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(tasks)) as pool:
        return list(pool.map(run, tasks))


def outcome(game_id: UUID, player: int, action: str) -> Acted | str:
    """The answer, or the code of the refusal."""
    try:
        return act(game_id, player, 1, action)
    except StaleMoveError as refused:
        return refused.code


@pytest.mark.parametrize("rivals", [2, 8])
def test_of_different_moves_for_one_decision_exactly_one_wins(rivals: int) -> None:
    for _ in range(3):
        game_id, people = cast.dealt(2, "table", max_plies=100)
        act(game_id, people[1].pk, 1, "S:/")
        own = engine.view(cast.engine_game(game_id), 0).wire()
        assert own["hand"] is not None
        swaps = [f"S:{a}/{b}" for a in own["hand"] for b in own["up"][0]][:rivals]
        found = at_once([partial(outcome, game_id, people[0].pk, swap) for swap in swaps])
        won = [one for one in found if not isinstance(one, str)]
        assert (len(won), found.count("stale_move")) == (1, rivals - 1)
        assert cast.row(game_id).ply == 2


def test_one_move_a_hundred_times_at_once_is_applied_once() -> None:
    game_id, people = cast.dealt(2, "classic")
    (seat,) = cast.engine_game(game_id).to_act()
    action = cast.engine_game(game_id).default_action(seat)

    def five() -> list[Acted | str]:
        return [outcome(game_id, people[seat].pk, action) for _ in range(5)]

    answers = [one for found in at_once([five] * 20) for one in found]
    first = answers[0]
    assert not isinstance(first, str)
    assert all(
        not isinstance(a, str) and (a.view, a.link) == (first.view, first.link) for a in answers
    )
    assert cast.row(game_id).ply == 1


def test_the_last_two_to_be_ready_deal_once() -> None:
    for _ in range(5):
        game_id, people = cast.forming(2)
        at_once([partial(lobby.ready, game_id, player, "e") for player in people])
        row = cast.row(game_id)
        assert (row.state, row.deck.entropies) == ("playing", [[0, "e"], [1, "e"]])


def test_the_last_free_seat_goes_to_one_player() -> None:
    aino = cast.person("Aino")
    plan = lobby.Plan(engine.rules_from("table"), ["", ""])
    game_id = lobby.create_game(aino, plan).game_id
    others = [cast.person(f"Player {number}") for number in range(4)]

    def sit(player: Player) -> bool:
        try:
            return lobby.join(game_id, player).seat == 1
        except GameFullError:
            return False

    assert sum(at_once([partial(sit, player) for player in others])) == 1
