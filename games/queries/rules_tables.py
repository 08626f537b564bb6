"""Presets, house rules and options as tables, asked from the engine itself."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final

from games.engine import (
    HOUSE_RULES,
    PRESETS,
    Rules,
    RulesCode,
    RulesError,
    packs_needed,
    rules_from,
)
from games.engine.rules import OPTIONS, RELAXATIONS
from games.players import HOUSE
from games.queries.rules_cards import rules_wire

PLAYERS: Final = range(2, 7)
# Options whose values are too many to list: from, to.
RANGES: Final = {"max_plies": (100, 100_000)}
_WORDS: Final = (
    *("auto", "all", "none", "before_play", "left_of_dealer", "most_lowest", "any", "low"),
    *("deciding_rank", "not_two", "falls", "stays", "feeds_again", "feeds_pass", "illegal"),
    *("courts", "floor", "except_ace_ten", "twos", "yes", "no", "not_while_stock", "one"),
    *("when_stuck", "any_time", "off", "anyone", "next_player", "sealed", "first"),
    *("claimant_opens", "left_of_challenger", "left_of_liar", "challenger_opens"),
    *("challenger_takes", "pile_falls"),
)
_CANDIDATES: Final = (None, False, True, *range(20), *_WORDS, *([name] for name in RELAXATIONS))


@cache
def presets_wire() -> dict[str, Any]:
    """Everything that a form or a client needs to make a rule set."""
    return {
        "presets": [
            {"name": name, "hash": rules.hash, "options": rules.options()}
            for name, rules in PRESETS.items()
        ],
        "house_rules": [
            {"name": name, "options": dict(options)} for name, options in HOUSE_RULES.items()
        ],
        "options": [_option(name) for name in OPTIONS],
        "house_bots": sorted(HOUSE),
    }


def card_wire(rules: Rules) -> dict[str, Any]:
    """A rule set with its full card."""
    return {**rules_wire(rules), "card": json.loads(rules.card())}


def checked_wire(rules: Rules) -> dict[str, Any]:
    """A rule set with what its deals take, by number of players."""
    return {**card_wire(rules), "deals": [_deal(rules, players) for players in PLAYERS]}


def _option(name: str) -> dict[str, Any]:
    if name in RANGES:
        return {"name": name, "values": [], "range": list(RANGES[name])}
    return {"name": name, "values": [v for v in _CANDIDATES if _allowed(name, v)], "range": None}


def _allowed(name: str, value: object) -> bool:
    try:
        rules_from("table", {name: value})
    except RulesError as error:
        return error.code != RulesCode.BAD_OPTION_VALUE
    return True


def _deal(rules: Rules, players: int) -> dict[str, Any]:
    try:
        packs, notice = packs_needed(rules, players)
    except RulesError:
        return {"players": players, "packs": None, "second_deck_needed": False}
    return {"players": players, "packs": packs, "second_deck_needed": notice}
