"""The golden vectors: records with the traces they must give, line by line."""

import hashlib
import json
import os
from pathlib import Path

import pytest

from games.engine import trace_lines
from games.engine.errors import Code

GOLDEN = Path(__file__).parents[2] / "golden"
RECORDS = sorted(GOLDEN.glob("*.record.json"))
SOURCE = Path(__file__).parents[4] / "shared" / "vectors"


def _expected(record: Path) -> list[dict[str, object]]:
    trace = record.with_name(record.name.replace(".record.json", ".trace.jsonl"))
    return [json.loads(line) for line in trace.read_text().splitlines() if line]


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.name.split(".")[0])
def test_a_record_gives_its_trace(record: Path) -> None:
    assert list(trace_lines(record.read_text())) == _expected(record)


def test_the_vectors_are_complete_and_unchanged() -> None:
    lines = (GOLDEN / "SHA256SUMS").read_text().splitlines()
    listed = {name: digest for digest, name in (line.split("  ") for line in lines)}
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in GOLDEN.iterdir()
        if path.name != "SHA256SUMS"
    }
    assert found == listed
    assert len(RECORDS) == 161


def test_the_vectors_are_those_of_the_design_where_that_is_at_hand() -> None:
    source = Path(os.environ.get("HOUSU_VECTORS", SOURCE))
    for path in source.glob("*.json*"):
        assert (GOLDEN / path.name).read_bytes() == path.read_bytes(), path.name


def test_the_vectors_show_nearly_every_error_code() -> None:
    shown = {line["error"] for record in RECORDS for line in _expected(record) if "error" in line}
    assert set(Code) - shown == set()
