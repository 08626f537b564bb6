"""Writes figures down: docs/reports/performance.json, and docs/performance.md from it."""

import json
import platform
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final, TypedDict

from tests.benchmarks import Figure

DOCS: Final = Path(__file__).parents[2] / "docs"
SEED: Final = 1


class Row(TypedDict):
    """A line of a report; `bench` is the benchmark that it came from."""

    bench: str
    id: str
    figure: str
    goal: str
    holds: bool | None
    seed: int
    machine: str


def write(bench: str, figures: Iterable[Figure], docs: Path = DOCS) -> None:
    """Write the figures of one benchmark into both; those of others stay."""
    file = docs / "reports" / "performance.json"
    kept: list[Row] = json.loads(file.read_text()) if file.exists() else []
    rows = [row for row in kept if row.get("bench", "engine") != bench]
    rows += [_row(bench, figure) for figure in figures]
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
    (docs / "performance.md").write_text(_page(rows))


def shown(figure: Figure) -> str:
    """The number with its unit, or why there is none."""
    if figure.value is None:
        return f"NOT RUN: {figure.reason}"
    return f"{figure.value:,.2f} {figure.unit}"


def _row(bench: str, figure: Figure) -> Row:
    return {
        "bench": bench,
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


def _page(rows: Sequence[Row]) -> str:
    names = sorted({row.get("bench", "engine") for row in rows})
    parts = [
        _section(name, [row for row in rows if row.get("bench", "engine") == name])
        for name in names
    ]
    return _HEAD + "\n".join(parts)


def _section(bench: str, rows: Iterable[Row]) -> str:
    lines = [
        f"| {row['id']} | {row['figure']} | {row['goal']} | {_HOLDS[row['holds']]} |"
        for row in rows
    ]
    told = (import_module(f"tests.benchmarks.{bench}").__doc__ or "").strip()
    return f"## {bench}\n\n{told}\n\n{_TABLE}" + "\n".join(lines) + "\n"


_HEAD: Final = """# Performance

Written by `make bench` and `manage.py bench NAME --report`; each section says how its figures were
measured. The same figures for machines: [reports/performance.json](reports/performance.json).

"""
_TABLE: Final = """| what | figure | goal | |
|---|---|---|---|
"""
