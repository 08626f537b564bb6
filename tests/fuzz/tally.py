"""What a run has seen, and the row of docs/reports/guarantees.json that says so."""

import json
import platform
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

REPORT = Path(__file__).parents[2] / "docs" / "reports" / "guarantees.json"
ID = "differential"


@dataclass
class Tally:
    """Counts over the records of a run; `lines` without those of unreadable records."""

    records: int = 0
    lines: int = 0
    entries: int = 0
    illegal: int = 0
    rule_sets: set[str] = field(default_factory=set)
    kinds: Counter[str] = field(default_factory=Counter)
    seats: Counter[int] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    differences: int = 0

    def add(self, kind: str, record: dict[str, Any], lines: list[str]) -> None:
        """Count one record by the reference's lines."""
        self.records += 1
        self.lines += len(lines)
        self.kinds[kind] += 1
        self.rule_sets.add(json.dumps(record.get("rules"), sort_keys=True))
        for text in lines:
            self._line(json.loads(text))
        if kind != "refused":
            self.seats[record["players"]] += 1

    def _line(self, line: dict[str, Any]) -> None:
        self.entries += line.get("action") is not None
        if line.get("error") == "malformed_record":
            self.errors[f"malformed_record {line['detail'].split(':')[0]}"] += 1
        elif "error" in line:
            self.illegal += 1
            self.errors[line["error"]] += 1
        for event in line.get("events", []):
            self.events[event if event.startswith("fall:") else event.split(":")[0]] += 1

    def figure(self) -> str:
        """The run in one sentence."""
        return (
            f"{self.records:,} records, {self.lines:,} trace lines, "
            f"{len(self.rule_sets):,} rule sets, {self.illegal / max(self.entries, 1):.0%} of "
            f"{self.entries:,} entries illegal: {self.differences} differences"
        )

    def details(self) -> list[str]:
        """What was covered, a line for each matter."""
        return [
            f"{name}: " + ", ".join(f"{key} {number:,}" for key, number in counts)
            for name, counts in [
                ("rule sets", self.kinds.most_common()),
                ("seats", [(str(seats), number) for seats, number in sorted(self.seats.items())]),
                ("events", self.events.most_common()),
                ("errors", self.errors.most_common()),
            ]
        ]


def write_row(tally: Tally, seed: int, path: Path = REPORT) -> None:
    """Put this run's row among those that other checks have written."""
    rows = json.loads(path.read_text()) if path.exists() else []
    row = {
        "id": ID,
        "figure": tally.figure(),
        "goal": "0 differences between the engine and the reference",
        "holds": tally.differences == 0,
        "seed": seed,
        "machine": f"{platform.system()} {platform.machine()}, "
        f"{platform.python_implementation()} {platform.python_version()}",
    }
    rows = [each for each in rows if each["id"] != ID] + [row]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
