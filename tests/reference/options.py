"""Options, presets, house rules and what is refused among them (rules, section 11)."""

from typing import Any

YES_NO: list[Any] = [False, True]
WHEN_EMPTY: list[Any] = ["falls", "stays", "feeds_again", "feeds_pass", "illegal"]
RELAXATIONS = ["aces", "courts", "tens", "twos"]

# The values of each option; two options are lists and two are wide ranges, see value_fits.
VALUES: dict[str, list[Any]] = {
    "decks": ["auto", 1, 2],
    "second_deck_from": [None, 2, 3, 4, 5, 6],
    "jokers": [0, 1, 2, 3, 4],
    "hand_size": [3, 4, 5, 6, "all"],
    "face_down": [0, 1, 2, 3, 4, 5],
    "face_up": [0, 1, 2, 3, 4, 5],
    "swap": ["none", "before_play"],
    "first_player": ["left_of_dealer", "most_lowest"],
    "opening": ["any", "deciding_rank"],
    "ten_on": ["any", "low", "not_two"],
    "ten_on_empty": WHEN_EMPTY,
    "ace_on": ["courts", "floor"],
    "ace_falls": YES_NO,
    "ace_on_empty": WHEN_EMPTY,
    "two_on": ["except_ace_ten", "any"],
    "after_two": ["any", "twos"],
    "court_floor": [0, 6, 7, 8, 9],
    "court_floor_after_stock": [None, 0],
    "courts_on_empty": ["yes", "no", "not_while_stock"],
    "courts_per_play": ["any", "one"],
    "specials_per_play": ["any", "one"],
    "four_falls": YES_NO,
    "four_twos_fall": YES_NO,
    "invisible_threes": YES_NO,
    "seven_stop": YES_NO,
    "pick_up": ["when_stuck", "any_time"],
    "stock_chance": ["off", "when_stuck"],
    "draw_first": YES_NO,
    "bluff": YES_NO,
    "challengers": ["anyone", "next_player"],
    "challenge_mode": ["sealed", "first"],
    "after_truth": ["claimant_opens", "left_of_challenger"],
    "after_lie": ["left_of_liar", "challenger_opens"],
    "true_fall": ["challenger_takes", "pile_falls"],
}
NAMES = sorted([*VALUES, "hand_batches", "relax_after_stock", "max_plies", "stalemate_repeats"])

TABLE: dict[str, Any] = {
    "decks": "auto",
    "second_deck_from": 6,
    "jokers": 0,
    "hand_size": 5,
    "hand_batches": None,
    "face_down": 3,
    "face_up": 3,
    "swap": "before_play",
    "first_player": "left_of_dealer",
    "opening": "any",
    "ten_on": "any",
    "ten_on_empty": "falls",
    "ace_on": "courts",
    "ace_falls": False,
    "ace_on_empty": "stays",
    "two_on": "except_ace_ten",
    "after_two": "any",
    "court_floor": 7,
    "court_floor_after_stock": None,
    "courts_on_empty": "yes",
    "courts_per_play": "any",
    "specials_per_play": "any",
    "four_falls": True,
    "four_twos_fall": True,
    "invisible_threes": False,
    "seven_stop": False,
    "pick_up": "when_stuck",
    "stock_chance": "off",
    "draw_first": False,
    "relax_after_stock": [],
    "bluff": False,
    "challengers": "anyone",
    "challenge_mode": "sealed",
    "after_truth": "claimant_opens",
    "after_lie": "left_of_liar",
    "true_fall": "challenger_takes",
    "max_plies": 5000,
    "stalemate_repeats": 6,
}
CLASSIC: dict[str, Any] = TABLE | {
    "second_deck_from": None,
    "hand_batches": [2, 2, 1],
    "face_down": 0,
    "face_up": 0,
    "swap": "none",
    "first_player": "most_lowest",
    "opening": "deciding_rank",
    "ten_on": "low",
    "ten_on_empty": "stays",
    "ace_falls": True,
    "after_two": "twos",
    "pick_up": "any_time",
}
PRESETS: dict[str, dict[str, Any]] = {
    "table": TABLE,
    "classic": CLASSIC,
    "feeding": CLASSIC
    | {
        "ten_on_empty": "feeds_pass",
        "ace_on_empty": "feeds_pass",
        "two_on": "any",
        "specials_per_play": "one",
        "four_twos_fall": False,
        "stock_chance": "when_stuck",
    },
    "valepaska": CLASSIC
    | {
        "first_player": "left_of_dealer",
        "opening": "any",
        "four_twos_fall": False,
        "bluff": True,
    },
    "poytapaska": CLASSIC | {"face_down": 4, "face_up": 4},
    "ruotsalainen": CLASSIC | {"hand_size": "all", "hand_batches": None},
    "espanjalainen": TABLE
    | {
        "hand_size": 3,
        "ten_on": "not_two",
        "ace_on": "floor",
        "two_on": "any",
        "after_two": "twos",
        "specials_per_play": "one",
        "four_twos_fall": False,
        "pick_up": "any_time",
        "stock_chance": "when_stuck",
    },
}

# Named overrides (section 11); the last column there, "on", is what the generator looks at.
HOUSE_RULES: dict[str, tuple[str, dict[str, Any]]] = {
    "jokers": ("table", {"jokers": 2}),
    "bluff": ("table", {"bluff": True, "pick_up": "any_time"}),
    "invisible_threes": ("table", {"invisible_threes": True}),
    "seven_stop": ("table", {"seven_stop": True}),
    "long_row": ("table", {"face_up": 5}),
    "four_twos_stay": ("any", {"four_twos_fall": False}),
    "only_tens_and_aces_fall": ("any", {"four_falls": False}),
    "courts_from_eight": ("any", {"court_floor": 8}),
    "courts_anywhere": ("any", {"court_floor": 0}),
    "courts_anywhere_after_stock": ("any", {"court_floor_after_stock": 0}),
    "courts_from_eight_no_open": ("any", {"court_floor": 8, "courts_on_empty": "no"}),
    "one_court_a_turn": ("any", {"courts_per_play": "one"}),
    "ace_feeds_again": ("any", {"ace_on_empty": "feeds_again"}),
    "ace_feeds_pass": ("any", {"ace_on_empty": "feeds_pass"}),
    "ten_and_ace_feed_again": (
        "any",
        {"ace_on_empty": "feeds_again", "ten_on_empty": "feeds_again"},
    ),
    "ten_and_ace_feed_pass": ("any", {"ace_on_empty": "feeds_pass", "ten_on_empty": "feeds_pass"}),
    "chance_card": ("not bluff", {"stock_chance": "when_stuck"}),
    "draw_first": ("any", {"draw_first": True}),
    "relax_courts": ("any", {"relax_after_stock": ["courts"]}),
    "relax_aces": ("any", {"relax_after_stock": ["aces"]}),
    "relax_tens": ("any", {"relax_after_stock": ["tens"]}),
    "relax_twos": ("any", {"relax_after_stock": ["twos"]}),
}


def is_whole(value: object, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def value_fits(name: str, value: object) -> bool:
    """Whether the value stands in the list of section 11; true and 1 are different things."""
    if name == "hand_batches":
        if value is None:
            return True
        return isinstance(value, list) and all(type(each) is int and each >= 1 for each in value)
    if name == "relax_after_stock":
        if not isinstance(value, list):
            return False
        return all(each in RELAXATIONS for each in value) and len(set(value)) == len(value)
    if name == "max_plies":
        return is_whole(value, 100, 100_000)
    if name == "stalemate_repeats":
        return is_whole(value, 2, 10)
    return any(type(value) is type(allowed) and value == allowed for allowed in VALUES[name])


def conflicts(options: dict[str, Any]) -> list[str]:
    """The options that can't be played together, in code point order of their names."""
    found = []
    batches = options["hand_batches"]
    if batches is not None and (
        options["hand_size"] == "all" or sum(batches) != options["hand_size"]
    ):
        found.append("hand_batches")
    if options["bluff"] and options["stock_chance"] != "off":
        found.append("stock_chance")
    return found


def complete(preset: object, overrides: dict[str, Any]) -> dict[str, Any] | str:
    """The full option set, or the code that refuses it (section 11)."""
    if not isinstance(preset, str) or preset not in PRESETS:
        return "unknown_preset"
    for name in sorted(overrides):
        if name not in NAMES:
            return f"unknown_option:{name}"
    for name in sorted(overrides):
        if not value_fits(name, overrides[name]):
            return f"bad_option_value:{name}"
    options = PRESETS[preset] | overrides
    for name in conflicts(options):
        return f"option_conflict:{name}"
    return options


def packs_needed(options: dict[str, Any], players: int) -> int | None:
    """How many packs are shuffled; None if they can't cover the deal (section 2.1)."""
    hand = 1 if options["hand_size"] == "all" else options["hand_size"]
    dealt = players * (options["face_down"] + options["face_up"] + hand)
    if options["decks"] != "auto":
        packs: int = options["decks"]
        return packs if packs * 52 + options["jokers"] >= dealt else None
    least = 2 if wants_two(options, players) else 1
    for packs in range(least, 3):
        if packs * 52 + options["jokers"] >= dealt:
            return packs
    return None


def wants_two(options: dict[str, Any], players: int) -> bool:
    """Whether `second_deck_from` alone asks for two packs (section 2.1)."""
    return options["second_deck_from"] is not None and players >= options["second_deck_from"]
