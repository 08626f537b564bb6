"""Records that can't be read, each by one or two changes of a good one."""

from random import Random
from typing import Any

from tests.fuzz.rule_sets import value
from tests.reference.options import NAMES

Record = dict[str, Any]
ODD: list[Any] = [None, True, False, 0, 1, -1, 7, 10**30, "", "1", [], {}, [1], "auto", "all"]
ODD += [2.5, ["aces", "aces"], ["aces", 1], ["sevens"], [2, 2, 1], [5], [0, 5], [True, 4], "yes"]


def broken(random: Random, record: Record) -> Record:
    """The record with one or two changes, each of which mostly makes it unreadable."""
    for _ in range(random.randint(1, 2)):
        random.choice([key, rules_key, option, option, conflict, seats, cards, entries])(
            random, record
        )
    return record


def key(random: Random, record: Record) -> None:
    name = random.choice(["format", "version", "rules", "players", "dealer", "actions", "Deck"])
    if random.random() < 0.4:
        record.pop(name, None)
    else:
        record[name] = random.choice(ODD)


def rules_key(random: Random, record: Record) -> None:
    rules = record.get("rules")
    if isinstance(rules, dict):
        name = random.choice(["preset", "options", "house", "Preset"])
        rules[name] = random.choice([*ODD, "table", "Table", "spanish"])


def option(random: Random, record: Record) -> None:
    rules = record.get("rules")
    if isinstance(rules, dict) and isinstance(rules.get("options"), dict):
        name = random.choice([*NAMES, "sevens", "Bluff", "a", "zz", ""])
        rules["options"][name] = random.choice(ODD)


def conflict(random: Random, record: Record) -> None:
    rules = record.get("rules")
    if isinstance(rules, dict) and isinstance(rules.get("options"), dict):
        for name in random.sample(["bluff", "stock_chance", "hand_batches", "hand_size"], 2):
            rules["options"][name] = value(random, name)


def seats(random: Random, record: Record) -> None:
    record[random.choice(["players", "dealer"])] = random.choice([-1, 0, 1, 2, 5, 6, 7, *ODD])


def cards(random: Random, record: Record) -> None:
    """Another pack than the rules want, a bad seed, both, or neither."""
    written = record.pop("deck", None)
    choice = random.randrange(6)
    if choice == 0 or not isinstance(written, list):
        record["deal_seed"] = random.choice(["", "0" * 63, "g" * 64, "0" * 64 + "\n", "٣" * 64, 5])
    elif choice == 1:
        record["deck"] = written[:-1]
    elif choice == 2:
        record["deck"] = [*written[:-1], written[0]]
    elif choice == 3:
        record |= {"deck": written, "deal_seed": "0" * 64}
    elif choice == 4:
        record["deck"] = [random.choice([*ODD, "3c", "10C"]), *written[1:]]


def entries(random: Random, record: Record) -> None:
    if isinstance(record.get("actions"), list):
        record["actions"].insert(0, random.choice(ODD))
