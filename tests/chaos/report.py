"""The rows of docs/reports/guarantees.json, each written by whoever has proved it."""

import json
import platform
from pathlib import Path
from typing import Final

from tests.chaos import SEED, Proof

FILE: Final = Path(__file__).parents[2] / "docs" / "reports" / "guarantees.json"


def write_row(row_id: str, proof: Proof, file: Path = FILE) -> None:
    """Put this row in the place of an older one of its id; others stay."""
    rows = json.loads(file.read_text()) if file.exists() else []
    python = f"{platform.python_implementation()} {platform.python_version()}"
    row = {
        "id": row_id,
        "figure": proof.figure,
        "goal": proof.goal,
        "holds": proof.holds,
        "seed": SEED,
        "machine": f"{platform.system()} {platform.machine()}, {python}",
    }
    rows = [each for each in rows if each["id"] != row_id] + [row]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
