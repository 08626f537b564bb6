"""R4: a move sent at the deadline: it or the default action, and the answer agrees with the row.

Somebody else looks at the game at the same moment, which plays the default of whoever is late.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from threading import Thread
from typing import NamedTuple
from uuid import UUID

from games import engine
from games.models import By
from games.queries import clocks, replays
from tests.benchmarks.plain_http import Connection
from tests.chaos import SEED, Proof
from tests.chaos.people import Told, ask, dealt, look, move, person, row, side_by_side

GOAL = "either the move or the default action, and the answer agrees with the record"
MOVE_MS = 1500
SPREAD_MS = 5
# How far the guess of a request's way to the lock moves with each outcome: to where both are even.
STEP_MS = 1.0
AT_ONCE = 12
IN_TIME, LATE = "in time", "default"


class Way:
    """What a request is thought to take from here to the lock, whatever else the machine does."""

    ms = 5.0


class Sent(NamedTuple):
    """A move that is timed, and what was answered."""

    game_id: UUID
    seat: int
    action: str
    default: str
    answer: Told


def prove(port: int, games: int = 500) -> Proof:
    """So many games, some at a time."""
    way = Way()
    chance = random.Random(SEED)
    tasks: list[Callable[[], str]] = []
    for number in range(games):
        off = chance.uniform(-SPREAD_MS, SPREAD_MS)
        tasks.append(partial(_one, port, number, off, way))
    found = Counter(side_by_side(tasks, AT_ONCE))
    figure = ", ".join(f"{count} {name}" for name, count in sorted(found.items()))
    return Proof(f"{games} games: {figure}", GOAL, not any("WRONG" in name for name in found))


def _one(port: int, number: int, off_ms: float, way: Way) -> str:
    """Play one game's first move at its deadline; says how that went."""
    people = [person(f"Early {number}"), person(f"Late {number}")]
    game_id = dealt(people, "classic", move_ms=MOVE_MS, bank_ms=0)
    game = replays.replayed(row(game_id))
    (seat,) = game.to_act()
    default = game.default_action(seat)
    others = [game.check(seat, text) for text in _plain(game, seat)]
    action = default if number % 2 else next((a for a in others if a != default), default)
    ends = row(game_id).deadline_at
    assert ends is not None
    at = ends + timedelta(milliseconds=off_ms - way.ms)
    answer = _at(at, port, move(game_id, people[seat], 1, action), look(game_id, people[1 - seat]))
    outcome = _judged(Sent(game_id, seat, action, default, answer))
    way.ms = max(0.0, way.ms + (STEP_MS if outcome == LATE else -STEP_MS))
    return outcome


def _plain(game: engine.Game, seat: int) -> list[str]:
    return [text for text in game.legal(seat) if text.startswith("P:")]


def _at(moment: datetime, port: int, one: bytes, beside: bytes) -> Told:
    """The answer to `one`, sent at a moment; `beside` goes on another connection."""
    with Connection(port) as own, Connection(port) as other:
        ask(own, beside)
        thread = Thread(target=_send_at, args=(moment, other, beside))
        thread.start()
        answer = _send_at(moment, own, one)
        thread.join()
    return answer


def _send_at(moment: datetime, connection: Connection, one: bytes) -> Told:
    left = (moment - datetime.now(UTC)).total_seconds()
    time.sleep(max(0.0, left - 0.002))
    while datetime.now(UTC) < moment:
        pass
    return ask(connection, one)


def _judged(sent: Sent) -> str:
    """The outcome, WRONG where answer and row disagree."""
    game = row(sent.game_id)
    start = replays.start_of(game)
    seat, action = next(iter(engine.iter_actions(start.game(), bytes(game.actions))))
    by = By(bytes(game.by)[0])
    in_time = clocks.unpacked(bytes(game.at_ms))[0] <= MOVE_MS
    if sent.answer.status == 200:
        wire = sent.answer.wire
        agrees = (wire["action"], wire["by"]) == (action, by.word) and action == sent.action
    else:
        stale = (sent.answer.status, sent.answer.wire["code"]) == (409, "stale_move")
        agrees = stale and by is By.DEFAULT and action == sent.default != sent.action
    # Which of the two it is follows from the clock under the lock.
    agrees &= seat == sent.seat and in_time == (by is By.SEAT)
    name = IN_TIME if by is By.SEAT else LATE
    return name if agrees else f"WRONG: {sent.answer.status} {by.word}"
