"""Whole random records, each fixed by a seed and a number."""

from dataclasses import dataclass
from random import Random
from typing import Any

from tests.fuzz import actions, decks, malformed, rule_sets
from tests.reference import judge, notation, options, play
from tests.reference.state import Round
from tests.reference.trace import opened

STYLES = ["any", "any", "low", "shedding", "shedding", "hoarding", "trusting"]


@dataclass
class Sample:
    """A record and what kind of rule set it plays by."""

    kind: str
    record: dict[str, Any]


def sample(seed: int, number: int) -> Sample:
    """Record `number` of `seed`: the same on every machine."""
    random = Random(f"{seed}:{number}")
    kind, rules = rule_sets.rule_set(random)
    players = random.choice([2, 2, 3, 3, 4, 5, 6])
    full = options.complete(rules["preset"], rules["options"])
    assert isinstance(full, dict)
    packs = options.packs_needed(full, players)
    record: dict[str, Any] = {
        "format": "paskahousu-record",
        "version": 1,
        "rules": rules,
        "players": players,
        "dealer": random.randrange(players),
        **decks.deck(random, packs or 1, full["jokers"]),
        "actions": [],
    }
    if packs is None:
        return Sample("refused", record)
    record["actions"] = entries(random, opened(record)[0])
    if random.random() < 0.03:
        return Sample("refused", malformed.broken(random, record))
    if random.random() < 0.05:
        record["tags"] = {"event": "fuzz", "names": ["ä", None]}
    return Sample(kind, record)


def entries(random: Random, table: Round) -> list[str]:
    """Play a round at random, with wrong entries in between, and a few after its end."""
    styles = [random.choice(STYLES) for _ in range(table.players)]
    if random.random() < 0.3:
        styles = [random.choice(["low", "low", "shedding", "hoarding"])] * table.players
    wrong = random.choice([0.02, 0.1, 0.3, 0.5])
    limit = random.choices([30, 150, 400, 1500], [4, 4, 3, 1])[0]
    written: list[str] = []
    after_the_end = 3
    while len(written) < limit and after_the_end:
        seat = table.turn if table.turn is not None else 0
        text = actions.entry(random, table, styles[seat], wrong)
        written.append(text)
        action = notation.read(text, table.players)
        if action is not None and judge.error_of(table, action) is None:
            play.carry_out(table, action)
        after_the_end -= table.phase == "over"
    return written
