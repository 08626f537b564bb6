"""Contests as the command line asks for them, and programs that play in them."""

import argparse
import sys
from pathlib import Path

from games.arena import command
from games.arena.match import Played
from games.arena.run import games
from games.arena.seating import Contest

ROBO = """
import json, sys
print(json.dumps({"protocol": 1, "version": "1"}), flush=True)
asked = 0
for line in sys.stdin:
    turn = json.loads(line)
    if turn["type"] in ("game_start", "game_end"):
        print("{}", flush=True)
        continue
    asked += 1
    assert turn["type"] == "turn" and turn["view"]["seat"] == turn["seat"], turn
    %s
"""
DEFAULT = 'print(json.dumps({"action": turn["legal"][0]}), flush=True)'


def contest(*entrants: str, **asked: object) -> Contest:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    chosen = parser.parse_args(list(entrants))
    for name, value in asked.items():
        setattr(chosen, name, value)
    return command.contest_from(chosen)


def all_games(played: Contest, jobs: int = 1) -> list[Played]:
    return list(games(played, jobs))


def robo(tmp_path: Path, answer: str) -> str:
    program = tmp_path / "robo.py"
    program.write_text(ROBO % answer)
    return f"{sys.executable} {program}"
