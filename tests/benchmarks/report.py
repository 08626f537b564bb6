"""Writes figures down: docs/reports/performance.json, and docs/performance.md from it."""

import json
import platform
from collections.abc import Iterable
from pathlib import Path
from typing import Final, TypedDict

from tests.benchmarks import Figure

DOCS: Final = Path(__file__).parents[2] / "docs"
SEED: Final = 1


class Row(TypedDict):
    """A line of a report."""

    id: str
    figure: str
    goal: str
    holds: bool | None
    seed: int
    machine: str


def write(figures: Iterable[Figure], docs: Path = DOCS) -> None:
    """Write both."""
    rows = [_row(figure) for figure in figures]
    (docs / "reports").mkdir(exist_ok=True)
    text = json.dumps(rows, indent=1, ensure_ascii=False) + "\n"
    (docs / "reports" / "performance.json").write_text(text)
    (docs / "performance.md").write_text(_page(rows))


def shown(figure: Figure) -> str:
    """The number with its unit, or why there is none."""
    if figure.value is None:
        return f"NOT RUN: {figure.reason}"
    return f"{figure.value:,.2f} {figure.unit}"


def _row(figure: Figure) -> Row:
    return {
        "id": figure.name,
        "figure": shown(figure),
        "goal": figure.goal,
        "holds": figure.holds,
        "seed": SEED,
        "machine": _machine(),
    }


def _machine() -> str:
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{platform.system()} {platform.machine()}, {python}"


_HOLDS: Final = {True: "holds", False: "**does not hold**", None: ""}


def _page(rows: Iterable[Row]) -> str:
    lines = [
        f"| {row['id']} | {row['figure']} | {row['goal']} | {_HOLDS[row['holds']]} |"
        for row in rows
    ]
    return _HEAD + "\n".join(lines) + "\n"


_HEAD: Final = """# Performance

Written by `make bench`; what each row measures stands in `tests/benchmarks/engine.py`. All sides of
a comparison are measured in turn in the same rounds, by processor time, and the median of five
counts. The same figures for machines: [reports/performance.json](reports/performance.json).

| what | figure | goal | |
|---|---|---|---|
"""
