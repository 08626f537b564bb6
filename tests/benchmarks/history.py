"""What a million finished games cost: bytes a game, and the time of every listed filter.

Games of four seats at `table`, half of them by the house bot `lowest`, half by random play, some
thousands of them played by the engine and each stored again and again under other ids, players,
competitions and times: what a row and its index entries take does not depend on which. COPY brings
them in. Times are the median of the whole request to the view; EXPLAIN is asked whether any of its
statements reads the whole table.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, Final

from tests.benchmarks import Figure
from tests.benchmarks.serving import Served, database

ROWS: Final = int(os.environ.get("ROWS", "1000000"))
PLAYED: Final = int(os.environ.get("PLAYED", "4000"))


def measure() -> list[Figure]:
    """All figures; ROWS and PLAYED in the environment choose smaller numbers."""
    with database(durable=False) as environment:
        made = Served(0, environment).asked("tests.benchmarks.history_rows", str(ROWS), str(PLAYED))
    return list(_figures(made))


def _figures(made: dict[str, Any]) -> Iterator[Figure]:
    yield Figure("finished games", made["rows"], "rows", "", None)
    for name, found in made["bytes"].items():
        goal = name.startswith("all, played by")
        holds = found <= 600 if goal else None
        yield Figure(f"bytes a game, {name}", found, "bytes", "<= 600" if goal else "", holds)
    for name, found in made["times"].items():
        yield Figure(f"list, {name}", found, "ms", "<= 100", found <= 100)
    name = "statements that read the whole table"
    yield Figure(name, made["whole"], "", "0", made["whole"] == 0)
