"""The engine's trace against the reference's, and the smallest record that tells them apart."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from games.engine import trace_lines
from tests.reference.trace import trace

Record = dict[str, Any]


@dataclass
class Difference:
    """The first line that differs: its number, the engine's words, the reference's."""

    line: int
    engine: str
    reference: str


def text_of(record: object) -> str:
    return json.dumps(record, ensure_ascii=False)


def reference_lines(text: str) -> list[str]:
    return written(trace(text))


def written(lines: Iterable[dict[str, Any]]) -> list[str]:
    """Lines as JSON text with sorted keys, so that true is not 1."""
    return [json.dumps(line, sort_keys=True, ensure_ascii=False) for line in lines]


def engine_lines(text: str) -> list[str]:
    """The engine's lines; whatever it raises is a line too, which no reference writes."""
    lines = []
    try:
        for line in trace_lines(text):
            lines += written([line])
    except Exception as error:
        lines.append(f"raised {error!r}")
    return lines


def compare(text: str, expected: list[str]) -> Difference | None:
    """The first difference between the engine's trace of the text and the expected lines."""
    found = engine_lines(text)
    if found == expected:
        return None
    for number in range(max(len(found), len(expected))):
        ours = found[number] if number < len(found) else "nothing"
        theirs = expected[number] if number < len(expected) else "nothing"
        if ours != theirs:
            return Difference(number, ours, theirs)
    raise AssertionError("equal lines in unequal lists")


def differs(record: object) -> Difference | None:
    text = text_of(record)
    return compare(text, reference_lines(text))


def shrunk(record: Record, differs: Callable[[Record], object]) -> Record:
    """A smaller record of which `differs` still holds: entries and options are cut away."""

    def kept(record: Record, smaller: Record) -> Record:
        return smaller if differs(smaller) else record

    if isinstance(record.get("actions"), list):
        record = with_fewer_actions(record, kept)
    rules = record.get("rules")
    if isinstance(rules, dict) and isinstance(rules.get("options"), dict):
        for name in list(rules["options"]):
            options = {k: v for k, v in record["rules"]["options"].items() if k != name}
            record = kept(record, record | {"rules": rules | {"options": options}})
    return kept(record, {key: value for key, value in record.items() if key != "tags"})


def with_fewer_actions(record: Record, kept: Callable[[Record, Record], Record]) -> Record:
    """Cut runs of entries, the longest first, from the end backwards."""
    size = len(record["actions"])
    while size:
        at = len(record["actions"]) - size
        while at >= 0:
            entries = record["actions"]
            record = kept(record, record | {"actions": entries[:at] + entries[at + size :]})
            at -= size
        size //= 2
    return record
