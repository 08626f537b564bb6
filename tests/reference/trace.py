"""Records in, trace lines out (records page, Trace)."""

import json
import re
from collections.abc import Iterator
from typing import Any

from tests.reference import judge, notation, options, play
from tests.reference.cards import in_order, shuffled, whole_pack
from tests.reference.state import Round, deal

KEYS = {"format", "version", "rules", "players", "dealer", "deck", "deal_seed", "actions", "tags"}


class NotJsonError(Exception):
    """The text is no JSON value."""


class MalformedError(Exception):
    """The record can't be read at all; the text is the `detail`."""


def trace(text: str) -> Iterator[dict[str, Any]]:
    """The lines of one record or of one per line."""
    for record in records(text):
        yield from trace_record(record)


def records(text: str) -> list[object]:
    """The whole text as one JSON value, else every line that is not blank."""
    try:
        return [read_json(text)]
    except NotJsonError:
        pass
    found: list[object] = []
    for line in text.split("\n"):
        if line.strip():
            try:
                found.append(read_json(line))
            except NotJsonError:
                found.append(None)
    return found


def read_json(text: str) -> object:
    """One JSON value; NaN and Infinity are none, nor is what no parser can follow down."""
    try:
        return json.loads(text, parse_constant=int)
    except (ValueError, RecursionError) as error:
        raise NotJsonError from error


def trace_record(record: object) -> Iterator[dict[str, Any]]:
    """The deal, then a line for each action."""
    try:
        table, actions, notices = opened(record)
    except MalformedError as refused:
        yield {"error": "malformed_record", "detail": str(refused)}
        return
    table.events = notices
    yield shown(table, None)
    for entry in actions:
        action = notation.read(entry, table.players)
        error = "malformed_action" if action is None else judge.error_of(table, action)
        if action is None or error is not None:
            yield {"ply": table.ply, "action": entry, "error": error}
        else:
            play.carry_out(table, action)
            yield shown(table, entry)


def opened(record: object) -> tuple[Round, list[str], list[str]]:
    """The round as dealt, its actions and notices; the checks stand in the order of the page."""
    if not isinstance(record, dict):
        raise MalformedError("json")
    for key in sorted(record):
        check(key in KEYS, key)
    check(record.get("format") == "paskahousu-record", "format")
    check(options.is_whole(record.get("version"), 1, 1), "version")
    rules = record.get("rules")
    if not isinstance(rules, dict):
        raise MalformedError("rules")
    for key in sorted(rules):
        check(key in ("preset", "options"), f"rules.{key}")
    overrides = rules.get("options", {})
    check(isinstance(overrides, dict), "rules.options")
    full = options.complete(rules.get("preset"), overrides)
    if isinstance(full, str):
        raise MalformedError(full)
    players, dealer = record.get("players"), record.get("dealer")
    if not options.is_whole(players, 2, 6):
        raise MalformedError("players")
    assert isinstance(players, int)
    if not options.is_whole(dealer, 0, players - 1):
        raise MalformedError("dealer")
    assert isinstance(dealer, int)
    packs = options.packs_needed(full, players)
    if packs is None:
        raise MalformedError("deal_impossible")
    deck = deck_of(record, packs, full["jokers"])
    actions = record.get("actions")
    if not isinstance(actions, list) or not all(isinstance(each, str) for each in actions):
        raise MalformedError("actions")
    second = full["decks"] == "auto" and packs == 2 and not options.wants_two(full, players)
    notices = ["second_deck_needed"] if second else []
    return deal(full, players, dealer, deck), actions, notices


def check(holds: bool, detail: str) -> None:
    if not holds:
        raise MalformedError(detail)


def deck_of(record: dict[str, Any], packs: int, jokers: int) -> list[str]:
    """The shuffled pack, written out or by its seed; both must agree."""
    deck = None
    if "deal_seed" in record:
        seed = record["deal_seed"]
        if not isinstance(seed, str) or not re.fullmatch("[0-9a-fA-F]{64}", seed):
            raise MalformedError("deal_seed")
        deck = shuffled(bytes.fromhex(seed), packs, jokers)
    if "deck" in record:
        written = record["deck"]
        whole = isinstance(written, list) and all(isinstance(card, str) for card in written)
        check(whole and sorted(written) == sorted(whole_pack(packs, jokers)), "deck")
        check(deck is None or deck == written, "deck")
        return list(written)
    if deck is None:
        raise MalformedError("deck")
    return deck


def shown(table: Round, entry: str | None) -> dict[str, Any]:
    """One line: the round after this action."""
    return {
        "ply": table.ply,
        "action": entry,
        "phase": table.phase,
        "to_act": judge.to_act(table),
        "turn": table.turn,
        "pile": list(table.pile),
        "claims": list(table.named) if table.options["bluff"] else None,
        "stock": len(table.stock),
        "hands": [in_order(hand) for hand in table.hands],
        "up": [in_order(row) for row in table.up],
        "down": [list(row) for row in table.down],
        "out": [list(place) for place in table.out],
        "fallen": table.fallen,
        "events": list(table.events),
        "legal": judge.legal(table),
    }
