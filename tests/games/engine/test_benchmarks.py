"""What is measured is said as it is: rows that do not hold, peers that are not there."""

import json
from pathlib import Path

import pytest

from tests.benchmarks import Figure, beside, report
from tests.benchmarks.beside import Peers


def test_a_row_that_does_not_hold_is_written_as_such_and_those_of_others_stay(
    tmp_path: Path,
) -> None:
    figures = [
        Figure("clone", 1.5, "us", "<= 1", False),
        Figure("against chess", None, "x", ">= 3", None, reason="no chess"),
    ]
    report.write("api", [Figure("move", 1.0, "ms", "", None)], tmp_path)
    report.write("engine", [Figure("gone", 1.0, "ms", "", None)], tmp_path)
    report.write("engine", figures, tmp_path)
    rows = json.loads((tmp_path / "reports" / "performance.json").read_text())
    assert [(row["id"], row["figure"], row["holds"]) for row in rows] == [
        ("move", "1.00 ms", None),
        ("clone", "1.50 us", False),
        ("against chess", "NOT RUN: no chess", None),
    ]
    assert "| clone | 1.50 us | <= 1 | **does not hold** |" in (
        tmp_path / "performance.md"
    ).read_text().replace("  ", " ")


def test_a_peer_that_can_not_be_had_is_not_run_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beside, "PYTHON", tmp_path / "python")
    with Peers() as peers:
        assert peers.turn("chess") == (0, 0.0)
        assert peers.missing == {"chess": beside.HOW}
