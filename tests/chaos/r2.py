"""R2: one move sent a thousand times over fifty connections is applied once."""

from __future__ import annotations

from collections import Counter

from tests.chaos import Proof
from tests.chaos.people import at_once, dealt, engine_game, move, person, row

GOAL = "applied once; others get the same answer or 409; no 5xx"


def prove(port: int, connections: int = 50, times: int = 20) -> Proof:
    """Send it `connections * times` times."""
    people = [person("Aino"), person("Bertil")]
    game_id = dealt(people, "classic")
    game = engine_game(game_id)
    (seat,) = game.to_act()
    one = move(game_id, people[seat], 1, game.default_action(seat))
    told = [a for answers in at_once(port, [[one] * times] * connections) for a in answers]
    statuses = Counter(answer.status for answer in told)
    bodies = {answer.body for answer in told if answer.status == 200}
    plies = row(game_id).ply
    holds = (plies, len(bodies)) == (1, 1) and set(statuses) <= {200, 409}
    counted = ", ".join(f"{n} x {status}" for status, n in sorted(statuses.items()))
    figure = f"{len(told)} sent: {counted}; {len(bodies)} different 200 bodies; {plies} ply stored"
    return Proof(figure, GOAL, holds)
