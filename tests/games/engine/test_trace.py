"""Traces and records at their border: what can't be read, what is verified."""

import json
import random

import pytest

from games.engine import MalformedRecord, parse_record, replay, trace_lines, verify_lines
from games.engine.cards import ordered_pack, texts
from games.engine.errors import IllegalAction
from tests.games.engine.random_records import random_record

RECORD: dict[str, object] = {
    "format": "paskahousu-record",
    "version": 1,
    "rules": {"preset": "classic", "options": {"first_player": "left_of_dealer", "opening": "any"}},
    "players": 2,
    "dealer": 1,
    "deck": [text for card in ordered_pack(1, 0) for text in texts(1 << card)],
    "actions": ["0 P:2C"],
}


def _detail(**changes: object) -> str:
    with pytest.raises(MalformedRecord) as refused:
        parse_record(RECORD | changes)
    return refused.value.detail


def test_the_first_detail_that_fits_is_given() -> None:
    assert _detail(zebra=1, apple=1, format="pgn") == "apple"
    assert _detail(format="pgn", version=2) == "format"
    assert _detail(version=True) == "version"
    assert _detail(rules=[], players=9) == "rules"
    assert _detail(rules={"preset": "classic", "x": 1, "options": None}) == "rules.x"
    assert _detail(rules={"preset": "classic", "options": None}) == "rules.options"
    assert _detail(rules={}) == "unknown_preset"
    assert _detail(rules={"preset": ["classic"]}) == "unknown_preset"
    assert _detail(rules={"preset": "table", "options": {"jokers": 9}}) == "bad_option_value:jokers"
    assert _detail(players=True) == "players"
    assert _detail(players=7, dealer=-1) == "players"
    assert _detail(dealer=2, deck=[]) == "dealer"
    assert _detail(deal_seed="0" * 63) == "deal_seed"
    assert _detail(deal_seed=None) == "deal_seed"
    assert _detail(deal_seed="0" * 64) == "deck"
    assert _detail(deck=["2C"] * 52) == "deck"
    assert _detail(deck=[["2C"]]) == "deck"
    assert _detail(deck=None) == "deck"
    assert _detail(actions=[1]) == "actions"
    assert _detail(actions="0 P:2C") == "actions"


def test_a_deal_that_no_packs_cover_is_told_before_the_deck() -> None:
    rules = {"preset": "table", "options": {"decks": 1}}
    assert _detail(rules=rules, players=6, deck=[]) == "deal_impossible"


def test_tags_may_be_anything() -> None:
    for tags in ({"event": "x"}, [1], None, "x"):
        assert parse_record(RECORD | {"tags": tags}).tags == tags


def test_a_seed_in_either_case_gives_the_deck() -> None:
    seeded = {key: value for key, value in RECORD.items() if key != "deck"}
    lower, upper = (parse_record(seeded | {"deal_seed": c * 64, "actions": []}) for c in "aA")
    assert lower.deck == upper.deck


def test_one_value_is_one_record_whatever_its_lines() -> None:
    assert len(list(trace_lines(json.dumps(RECORD, indent=2)))) == 2
    assert list(trace_lines("[\n1]")) == [{"error": "malformed_record", "detail": "json"}]


def test_else_every_line_that_is_not_blank_is_a_record() -> None:
    line = json.dumps(RECORD)
    lines = list(trace_lines(f"{line}\n\n  \nnonsense\r\n{line}\n"))
    assert [entry.get("detail", entry.get("ply")) for entry in lines] == [0, 1, "json", 0, 1]
    assert list(trace_lines("")) == []


@pytest.mark.parametrize("text", ["NaN", "[" * 5000, "9" * 5000, '{"a": Infinity}', '"\x00"'])
def test_what_is_no_json_is_told_so(text: str) -> None:
    assert list(trace_lines(text)) == [{"error": "malformed_record", "detail": "json"}]


def test_the_short_form_of_bots_is_malformed_in_a_record() -> None:
    record = parse_record(RECORD | {"actions": ["0 P:2x1"]})
    with pytest.raises(IllegalAction, match="malformed_action"):
        replay(record)


@pytest.mark.parametrize("entry", ["", "0", "0P:2C", " 0 P:2C", "0\tP:2C", "00 P:2C", "² P:2C"])
def test_an_entry_without_seat_and_blank_is_malformed(entry: str) -> None:
    told = list(trace_lines(json.dumps(RECORD | {"actions": [entry]})))[-1]
    assert told == {"ply": 0, "action": entry, "error": "malformed_action"}


def test_a_verdict_names_the_first_illegal_entry() -> None:
    good, bad = RECORD, RECORD | {"actions": ["0 P:2C", "0 U"]}
    text = "\n".join(map(json.dumps, (good, bad, {})))
    verdicts = list(verify_lines(text))
    assert [verdict["ok"] for verdict in verdicts] == [True, False, False]
    assert (verdicts[1]["error"], verdicts[1]["ply"]) == ("not_your_turn", 1)


def test_random_records_give_a_line_for_the_deal_and_for_every_entry() -> None:
    rng = random.Random(7)
    for _ in range(30):
        record = random_record(rng)
        lines = list(trace_lines(json.dumps(record)))
        assert [line["action"] for line in lines] == [None, *record["actions"]]
        plies = [line["ply"] for line in lines if "error" not in line]
        assert plies == list(range(len(plies)))
