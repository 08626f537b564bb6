"""R3: of different moves for one decision, sent at once, exactly one wins."""

from __future__ import annotations

from uuid import UUID

from games import engine
from games.queries import replays
from tests.benchmarks.plain_http import Connection
from tests.chaos import Proof
from tests.chaos.people import Person, Told, ask, at_once, dealt, engine_game, move, person, row

GOAL = "exactly one wins each, and the row has that one"
RIVALS = (2, 8)


def prove(port: int, rounds: int = 500) -> Proof:
    """So many rounds for two moves, and for eight."""
    people = [person("Aino"), person("Bertil")]
    found = {n: sum(_round(port, people, n) for _ in range(rounds)) for n in RIVALS}
    figure = "; ".join(f"{n} moves: one won in {won} of {rounds}" for n, won in found.items())
    return Proof(figure, GOAL, all(won == rounds for won in found.values()))


def _round(port: int, people: list[Person], rivals: int) -> bool:
    """Whether exactly one of the swaps was taken."""
    game_id = dealt(people, "table")
    with Connection(port) as own:
        assert ask(own, move(game_id, people[1], 1, "S:/")).status == 200
    swaps = _swaps(game_id)[:rivals]
    told = at_once(port, [[move(game_id, people[0], 1, swap)] for swap in swaps])
    answers = [answer for (answer,) in told]
    won = [swap for swap, answer in zip(swaps, answers, strict=True) if answer.status == 200]
    return len(won) == 1 and _lost(answers) == rivals - 1 and _stored(game_id) == won[0]


def _swaps(game_id: UUID) -> list[str]:
    """Different exchanges of one card that seat 0 may make."""
    own = engine.view(engine_game(game_id), 0).wire()
    assert own["hand"] is not None
    return [f"S:{hand}/{up}" for hand in own["hand"] for up in own["up"][0]]


def _lost(answers: list[Told]) -> int:
    return sum(a.status == 409 and a.wire["code"] == "stale_move" for a in answers)


def _stored(game_id: UUID) -> str:
    """What seat 0 has swapped by the row."""
    game = row(game_id)
    played = engine.iter_actions(replays.start_of(game).game(), bytes(game.actions))
    return dict(played)[0]
