"""The other side of `manage.py bench engine`: engines of others, at the same kind of work.

Runs by itself in an environment that has them (`make bench` makes .venv-bench): reads a peer's name
a line, takes one turn, answers with a JSON line. Imports nothing of ours.
"""

import gc
import json
import random
import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

Side = Callable[[], int]
"""Takes a turn; says how many plies it had."""


def chess_push() -> Side:
    """python-chess: `push` of the moves of random games, found beforehand."""
    chess: Any = import_module("chess")
    rng, games = random.Random(1), []
    for _ in range(4):
        board = chess.Board()
        moves: list[Any] = []
        while not board.is_game_over() and len(moves) < 150:
            moves.append(rng.choice(list(board.legal_moves)))
            board.push(moves[-1])
        games.append(moves)

    def play() -> int:
        for moves in games * 4:
            push = chess.Board().push
            for move in moves:
                push(move)
        return 4 * sum(map(len, games))

    return play


def uno_run() -> Side:
    """RLCard: `env.run` of its Uno with its random agents, two seats."""
    rlcard: Any = import_module("rlcard")
    agents: Any = import_module("rlcard.agents")
    env = rlcard.make("uno", config={"seed": 1})
    env.set_agents([agents.RandomAgent(num_actions=env.num_actions)] * env.num_players)

    def play() -> int:
        before = env.timestep
        for _ in range(4):
            env.run(is_training=False)
        return int(env.timestep - before)

    return play


def crazy_eights() -> Side:
    """OpenSpiel: crazy_eights with four seats, driven from Python as our own games are."""
    spiel: Any = import_module("pyspiel")
    game, bits = spiel.load_game("crazy_eights(players=4)"), random.Random(1).getrandbits

    def play() -> int:
        plies = 0
        for _ in range(60):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    state.apply_action(outcomes[bits(30) % len(outcomes)][0])
                else:
                    actions = state.legal_actions()
                    state.apply_action(actions[bits(30) % len(actions)])
                    plies += 1
        return plies

    return play


SIDES: dict[str, Callable[[], Side]] = {
    "chess": chess_push,
    "uno": uno_run,
    "crazy_eights": crazy_eights,
}


def main() -> None:
    """Answer until the input ends."""
    ready: dict[str, Side] = {}
    for line in sys.stdin:
        name = line.strip()
        try:
            if name not in ready:
                ready[name] = SIDES[name]()
                gc.freeze()
            start = time.process_time()
            plies = ready[name]()
            took = time.process_time() - start
            answer: dict[str, object] = {"plies": plies, "seconds": took}
        except ImportError as error:
            answer = {"missing": str(error)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
