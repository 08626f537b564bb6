"""Random rule sets: presets, presets with house rules, and options thrown together."""

from random import Random
from typing import Any

from tests.reference import options
from tests.reference.options import HOUSE_RULES, NAMES, PRESETS, RELAXATIONS, VALUES

Rules = dict[str, Any]


def rule_set(random: Random) -> tuple[str, Rules]:
    """The `rules` of a record that can be played, and which kind of set it is."""
    preset = random.choice(list(PRESETS))
    kind = random.choices(["preset", "house", "few", "any"], [3, 3, 4, 4])[0]
    overrides: Rules = {}
    if kind == "house":
        overrides = with_house_rules(random, preset)
    elif kind == "few":
        overrides = {name: value(random, name) for name in random.sample(NAMES, 4)}
    elif kind == "any":
        overrides = {name: value(random, name) for name in NAMES if random.random() < 0.7}
    if random.random() < 0.4:
        overrides["stalemate_repeats"] = random.randint(2, 3)
    if random.random() < 0.2:
        overrides["max_plies"] = random.randint(100, 160)
    make_playable(random, preset, overrides)
    return kind, {"preset": preset, "options": overrides}


def with_house_rules(random: Random, preset: str) -> Rules:
    """One to three of the named overrides that go with this preset."""
    fitting = [
        override
        for on, override in HOUSE_RULES.values()
        if on == "any"
        or (on == "table" and preset == "table")
        or (on == "not bluff" and preset != "valepaska")
    ]
    overrides: Rules = {}
    relaxed: set[str] = set()
    for override in random.sample(fitting, random.randint(1, 3)):
        overrides |= override
        relaxed |= set(override.get("relax_after_stock", []))
    if relaxed:
        overrides["relax_after_stock"] = sorted(relaxed)
    return overrides


def value(random: Random, name: str) -> Any:
    """A value from the option's list."""
    if name == "hand_batches":
        return random.choice([None, None, [2, 2, 1], [3, 2], [1, 2], [1, 1, 2], [3, 3]])
    if name == "relax_after_stock":
        return random.sample(RELAXATIONS, random.randint(0, 4))
    if name == "max_plies":
        return random.choice([100, 101, 150, 300, 5000, 100_000])
    if name == "stalemate_repeats":
        return random.randint(2, 10)
    return random.choice(VALUES[name])


def make_playable(random: Random, preset: str, overrides: Rules) -> None:
    """Take back what conflicts, one way or the other."""
    full = PRESETS[preset] | overrides
    for name in options.conflicts(full):
        if name == "stock_chance" and random.random() < 0.5:
            overrides["bluff"] = False
        elif name == "stock_chance":
            overrides["stock_chance"] = "off"
        else:
            overrides["hand_batches"] = None
