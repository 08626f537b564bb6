"""Texts at the edge of JSON and of the format: engine and reference read them alike."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.fuzz.differential import compare, reference_lines
from tests.reference.cards import whole_pack

GOOD: dict[str, Any] = {
    "format": "paskahousu-record",
    "version": 1,
    "rules": {"preset": "table", "options": {}},
    "players": 3,
    "dealer": 2,
    "deck": whole_pack(1, 0),
    "actions": ["0 S:/"],
}
LINE = json.dumps(GOOD)
SEEDED = {key: value for key, value in GOOD.items() if key != "deck"}


def ruled(**options: object) -> str:
    return json.dumps(GOOD | {"rules": {"preset": "table", "options": options}})


TEXTS: dict[str, str] = {
    "nothing": "",
    "blank lines": "  \n \n",
    "a list of records": f"[{LINE}]",
    "null": "null",
    "a number that JSON does not have": LINE.replace('"version": 1', '"version": NaN'),
    "a byte order mark": "\ufeff" + LINE,
    "a key twice": LINE[:-1] + ', "version": 2}',
    "over several lines": json.dumps(GOOD, indent=2),
    "two over several lines": json.dumps(GOOD, indent=2) + "\n" + json.dumps(GOOD, indent=2),
    "Windows line ends": f"{LINE}\r\n{LINE}\r\n",
    "a line separator in a tag": json.dumps(GOOD | {"tags": "\u2028"}, ensure_ascii=False) * 2,
    "a line that is blank but for U+00A0": f"{LINE}\n\u00a0\n{LINE}",
    "too deep": "[" * 100_000,
    "a number of 5,000 digits": LINE.replace('"dealer": 2', '"dealer": ' + "2" * 5000),
    "something behind": LINE + " x",
    "two unknown keys": json.dumps(GOOD | {"zz": 1, "aa": 2}),
    "an empty key": json.dumps(GOOD | {"": 1}),
    "a version 1.0": json.dumps(GOOD | {"version": 1.0}),
    "a version true": json.dumps(GOOD | {"version": True}),
    "deck null beside a seed": json.dumps(GOOD | {"deck": None, "deal_seed": "0" * 64}),
    "tags of any kind": json.dumps(GOOD | {"tags": 5}),
    "options null": json.dumps(GOOD | {"rules": {"preset": "table", "options": None}}),
    "no preset": json.dumps(GOOD | {"rules": {}}),
    "a hand of 5.0": ruled(hand_size=5.0),
    "no batches": ruled(hand_batches=[]),
    "a batch of true": ruled(hand_batches=[4, True]),
    "a batch of a billion": ruled(hand_batches=[10**12]),
    "a set in a set": ruled(relax_after_stock=[["aces"]]),
    "names before values": ruled(zz=1, aa=1, jokers=9),
    "digits that are no ASCII": json.dumps(SEEDED | {"deal_seed": "\uff10" * 64}),
    "a seed in capitals": json.dumps(SEEDED | {"deal_seed": "AB" * 32}),
    "neither deck nor seed": json.dumps(SEEDED),
    "a long slot": json.dumps(GOOD | {"actions": ["0 B:" + "9" * 5000]}),
    "a lone surrogate": json.dumps(GOOD | {"actions": ["0 \ud800"]}),
}


@pytest.mark.parametrize("name", TEXTS)
def test_engine_and_reference_read_alike(name: str) -> None:
    assert compare(TEXTS[name], reference_lines(TEXTS[name])) is None


@pytest.mark.parametrize("join", ["\n".join, "\n\n".join, "\n{\n".join])
def test_a_bad_line_does_not_stop_the_next(join: Callable[[list[str]], str]) -> None:
    text = join([LINE] * 3)
    lines = reference_lines(text)
    assert len([line for line in lines if '"action": null' in line]) == 3
    assert compare(text, lines) is None
