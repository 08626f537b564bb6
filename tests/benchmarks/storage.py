"""What a finished game of house bots takes on disk, by the way that a tournament stores it.

A worker plays a competition of four-seat tables (`lowest`), as in `bench tournament`; all tables
and indexes of the database are measured before it and after, each time after VACUUM, and a smaller
one that comes first has filled what is there once for all.
"""

from __future__ import annotations

import os
from typing import Final

from tests.benchmarks import Figure
from tests.benchmarks.tournament import played

ROUNDS: Final = int(os.environ.get("ROUNDS", "20"))
MOST: Final = 600


def measure() -> list[Figure]:
    """Bytes a game; ROUNDS, BOTS and DEALS in the environment choose how many games. With few, the
    pages and maps that every table has at least count for more than the games."""
    told = played(ROUNDS, interleaved=False)
    size, what = told["bytes"], "a finished game, all tables and indexes"
    return [
        Figure("games played", told["games"], "games", "", None),
        Figure(what, size, "bytes", f"<= {MOST}", size <= MOST),
        *(
            Figure(f"of it {name}", of_it, "bytes", "", None)
            for name, of_it in sorted(told["by_table"].items(), key=lambda one: -one[1])
        ),
    ]
