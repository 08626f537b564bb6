"""Whether standings take longer the more results there are: 10,000 beside 1,000,000.

Two finished competitions with as many entries and tables differ in their results alone: rows of
the ledger, brought in by COPY, and sums in the tallies. API and page are asked in turn by whole
requests to the views; the figure is the ratio of the medians.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, Final

from tests.benchmarks import Figure
from tests.benchmarks.serving import Served, database

FEW: Final = int(os.environ.get("FEW", "10000"))
MANY: Final = int(os.environ.get("MANY", "1000000"))
MOST: Final = 1.05


def measure() -> list[Figure]:
    """All figures; FEW and MANY in the environment choose other numbers."""
    with database(durable=False) as environment:
        told = Served(0, environment).asked("tests.benchmarks.standings_side", str(FEW), str(MANY))
    return list(_figures(told))


def _figures(told: dict[str, Any]) -> Iterator[Figure]:
    for name, (few, many) in told["p50"].items():
        yield Figure(f"{name}, p50 at {FEW:,} results", few, "ms", "", None)
        yield Figure(f"{name}, p50 at {MANY:,} results", many, "ms", "", None)
        ratio = many / few
        yield Figure(f"{name}, many against few", ratio, "x", f"<= {MOST}", ratio <= MOST)
