"""Instructions a ply, counted by callgrind: the same on a busy machine as on a quiet one.

`manage.py bench instructions` compares with instructions.json, which
`python -m tests.benchmarks.instructions` writes. Counts belong to one build of Python.
"""

import json
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.benchmarks import Figure

KEPT: Final = Path(__file__).with_suffix(".json")
ROOT: Final = Path(__file__).parents[2]
MOST: Final = 1.03
"""A change that adds more than this is warned of."""
COURSES: Final = ("table", "classic", "feeding", "valepaska")
_ENV: Final = {"PYTHONHASHSEED": "0", "PYTHONPATH": str(ROOT)}
_RUN: Final = """
import random, sys
from games.engine import Game, packs_needed, rules_from, shuffled_deck

def main(preset, games):
    rules, plies = rules_from(preset), 0
    packs, _ = packs_needed(rules, 4)
    decks = [shuffled_deck(n.to_bytes(32), packs, rules.jokers) for n in range(24)]
    for deck in decks[:games]:
        game, bits = Game(rules, 4, 0, deck), random.Random(1).getrandbits
        while (legal := game.codes()) and game.ply < 300:
            game.step(legal[bits(30) % len(legal)])
        plies += game.ply
    return plies

print(main(sys.argv[1], int(sys.argv[2])))
"""


def measure() -> list[Figure]:
    """Random play in a few presets, beside what is kept."""
    if shutil.which("valgrind") is None:
        return [Figure("instructions", None, "", "", None, reason="valgrind is not installed")]
    kept = json.loads(KEPT.read_text())
    same = kept["python"] == platform.python_version()
    return [_figure(course, kept["plies"][course] if same else None) for course in COURSES]


def _figure(course: str, before: int | None) -> Figure:
    now, name = counted(course), f"instructions a ply, random play, {course}"
    if before is None:
        return Figure(name, now, "", "", None)
    return Figure(name, now, "", f"<= {before * MOST:.0f}", now <= before * MOST)


def counted(course: str) -> int:
    """Instructions a ply: of sixteen games more against those of eight, which warm up; one run
    before them leaves compiled modules behind."""
    subprocess.run(
        [sys.executable, "-S", "-c", _RUN, course, "0"],
        check=True,
        cwd=ROOT,
        env=_ENV,
        stdout=subprocess.DEVNULL,
    )
    (few, plies), (many, more) = (_collected(course, games) for games in (8, 24))
    return round((many - few) / (more - plies))


def _collected(course: str, games: int) -> tuple[int, int]:
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    told = subprocess.run(
        [*valgrind, sys.executable, "-S", "-c", _RUN, course, str(games)],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=_ENV,
    )
    count = re.search(r"Collected : (\d+)", told.stderr)
    assert count is not None
    return int(count[1]), int(told.stdout)


if __name__ == "__main__":
    plies = {course: counted(course) for course in COURSES}
    kept = {"python": platform.python_version(), "plies": plies}
    KEPT.write_text(json.dumps(kept, indent=1) + "\n")
    sys.stdout.write(json.dumps(kept) + "\n")
