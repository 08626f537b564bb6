"""A run over many records: compare, count, and write down what differs."""

import json
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.differential import Difference, compare, differs, reference_lines, shrunk, text_of
from tests.fuzz.records import Sample, sample
from tests.fuzz.tally import Tally

TOGETHER = 20  # so many short records are read once more as one text, a line each


def run(seed: int, count: int, findings: Path) -> Iterator[tuple[Tally, str]]:
    """Yield the tally after each record, with a word where a difference was found."""
    tally = Tally()
    recent: list[str] = []
    for number in range(count):
        each = sample(seed, number)
        text = text_of(each.record)
        expected = reference_lines(text)
        tally.add(each.kind, each.record, expected)
        found = compare(text, expected)
        if found is None and len(expected) < 100:
            recent.append(text)
        if found is None and len(recent) == TOGETHER:
            together = as_lines(recent)
            recent = []
            found = compare(together, reference_lines(together))
            each = Sample("lines", {"text": together})
        if found is None:
            yield tally, ""
        else:
            tally.differences += 1
            yield tally, written_down(each, found, findings / f"{seed}-{number}")


def as_lines(texts: list[str]) -> str:
    """Several records in one text, with blank and broken lines between."""
    return "\n".join([*texts[:10], "", '{"format":', "   ", "[]", *texts[10:], ""])


def written_down(each: Sample, found: Difference, name: Path) -> str:
    """Keep the smallest record that differs, with both traces; say where."""
    record = each.record
    if each.kind != "lines":
        record = shrunk(record, differs)
        found = differs(record) or found
    name.parent.mkdir(parents=True, exist_ok=True)
    path = name.with_suffix(".record.json")
    path.write_text(json.dumps(record, ensure_ascii=False) + "\n")
    return (
        f"DIFFERENCE, smallest record in {path}, line {found.line}:\n"
        f"  engine    {found.engine}\n  reference {found.reference}"
    )
