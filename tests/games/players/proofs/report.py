"""Keeps the figures: docs/reports/house-bots.json, and the tables of docs/house-bots.md from it."""

import json
import platform
from collections.abc import Iterable
from pathlib import Path
from typing import Final, TypedDict

from tests.games.players.proofs.tables import tables

DOCS: Final = Path(__file__).parents[4] / "docs"
SEED: Final = 7
_BEGIN, _END = "<!-- figures -->\n", "<!-- end of figures -->\n"


class Row(TypedDict):
    """A figure. `holds` is None where nothing was promised."""

    id: str
    figure: str
    goal: str
    holds: bool | None
    seed: int
    machine: str


def row(name: str, figure: str, goal: str = "", holds: bool | None = None) -> Row:
    """A figure of this machine."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    machine = f"{platform.system()} {platform.machine()}, {python}"
    return {
        "id": name,
        "figure": figure,
        "goal": goal,
        "holds": holds,
        "seed": SEED,
        "machine": machine,
    }


def keep(rows: Iterable[Row], docs: Path = DOCS) -> None:
    """Put the figures in the place of those of the same name."""
    file = docs / "reports" / "house-bots.json"
    kept: list[Row] = json.loads(file.read_text()) if file.exists() else []
    by_name = {row["id"]: row for row in kept} | {row["id"]: row for row in rows}
    every = [by_name[name] for name in sorted(by_name)]
    file.write_text(json.dumps(every, indent=1, ensure_ascii=False) + "\n")
    page = docs / "house-bots.md"
    head, _, rest = page.read_text().partition(_BEGIN)
    _, _, tail = rest.partition(_END)
    told = {row["id"]: row["figure"] for row in every}
    page.write_text(head + _BEGIN + tables(told) + _END + tail)
