"""The reference against the vectors, the engine against the reference (in full: make fuzz)."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz.differential import reference_lines, shrunk, text_of
from tests.fuzz.records import sample
from tests.fuzz.run import run
from tests.fuzz.tally import Tally, write_row
from tests.reference.trace import trace

GOLDEN = Path(__file__).parents[1] / "golden"
VECTORS = sorted(GOLDEN.glob("*.record.json"))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda path: path.name.split(".")[0])
def test_the_reference_plays_a_vector_as_published(vector: Path) -> None:
    expected = vector.with_name(vector.name.replace(".record.json", ".trace.jsonl")).read_text()
    lines = [json.loads(line) for line in expected.splitlines()]
    assert list(trace(vector.read_text())) == lines


def test_engine_and_reference_agree_on_random_records(tmp_path: Path) -> None:
    findings = [finding for _, finding in run(20261130, 250, tmp_path) if finding]
    assert findings == []


def test_random_records_reach_every_kind_of_event_and_most_errors(tmp_path: Path) -> None:
    tally = Tally()
    for number in range(120):
        each = sample(1, number)
        tally.add(each.kind, each.record, reference_lines(text_of(each.record)))
    assert {"over", "stalemate", "ply_cap", "fed", "fall:joker", "truth", "lie"} <= set(
        tally.events
    )
    assert len(tally.errors) > 25
    assert set(tally.seats) == {2, 3, 4, 5, 6}


def test_a_record_is_the_same_for_the_same_seed_and_number() -> None:
    assert sample(7, 3) == sample(7, 3)
    assert sample(7, 3) != sample(8, 3)


def test_a_finding_is_cut_down_to_what_shows_it() -> None:
    def falls(record: dict[str, Any]) -> bool:
        return any("fall:four" in line for line in reference_lines(text_of(record)))

    record = next(each.record for each in (sample(1, at) for at in range(99)) if falls(each.record))
    small = shrunk(record, falls)
    assert falls(small)
    assert len(small["actions"]) < len(record["actions"])


def test_the_report_keeps_the_rows_of_other_checks(tmp_path: Path) -> None:
    path = tmp_path / "guarantees.json"
    other = {"id": "R1", "figure": "0 games lost"}
    path.write_text(json.dumps([other, {"id": "differential", "figure": "old"}]))
    write_row(Tally(), 5, path)
    rows = json.loads(path.read_text())
    assert rows[0] == other
    assert [row["id"] for row in rows] == ["R1", "differential"]
