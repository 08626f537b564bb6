"""The golden vectors: records with the traces they must give, line by line."""

import hashlib
import json
import os
from pathlib import Path

import pytest

from games.engine import MalformedRecord, decode_actions, encode_log, parse_record, trace_lines
from games.engine.board import Board
from games.engine.errors import Code, IllegalAction
from games.engine.game import Game
from games.engine.record import play_entry

GOLDEN = Path(__file__).parents[2] / "golden"
RECORDS = sorted(GOLDEN.glob("*.record.json"))
SOURCE = Path(__file__).parents[4] / "shared" / "vectors"


def _expected(record: Path) -> list[dict[str, object]]:
    trace = record.with_name(record.name.replace(".record.json", ".trace.jsonl"))
    return [json.loads(line) for line in trace.read_text().splitlines() if line]


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.name.split(".")[0])
def test_a_record_gives_its_trace(record: Path) -> None:
    assert list(trace_lines(record.read_text())) == _expected(record)


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.name.split(".")[0])
def test_the_quick_replay_ends_where_the_checked_one_does(record: Path) -> None:
    for line in record.read_text().splitlines():
        try:
            told = parse_record(json.loads(line))
        except (MalformedRecord, ValueError):
            continue
        slow = told.game()
        for entry in told.actions:
            try:
                play_entry(slow, entry)
            except IllegalAction:
                continue
        quick = decode_actions(told.game(), encode_log(slow))
        assert _compared(quick) == _compared(slow)


def _compared(game: Game) -> dict[str, object]:
    """Everything that a game holds, but the tables it stands on."""
    names = set(Board.__slots__) - {"here", "tops", "now", "_story", "tables"}
    return {name: getattr(game, name) for name in names} | {"top": (game.top, game.here.run)}


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
