"""The presets and the named house rules of rules.md section 11. Knows no rule's meaning."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from games.engine.errors import RulesCode, RulesError
from games.engine.rules import Rules, altered

_TABLE: Final = Rules()
_CLASSIC: Final = altered(
    _TABLE,
    {
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
    },
)
_FEEDING: Final = altered(
    _CLASSIC,
    {
        "ten_on_empty": "feeds_pass",
        "ace_on_empty": "feeds_pass",
        "two_on": "any",
        "specials_per_play": "one",
        "four_twos_fall": False,
        "stock_chance": "when_stuck",
    },
)
_VALEPASKA: Final = altered(
    _CLASSIC,
    {
        "first_player": "left_of_dealer",
        "opening": "any",
        "four_twos_fall": False,
        "bluff": True,
    },
)
_ESPANJALAINEN: Final = altered(
    _TABLE,
    {
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
)

PRESETS: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        "table": _TABLE,
        "classic": _CLASSIC,
        "feeding": _FEEDING,
        "valepaska": _VALEPASKA,
        "poytapaska": altered(_CLASSIC, {"face_down": 4, "face_up": 4}),
        "ruotsalainen": altered(_CLASSIC, {"hand_size": "all", "hand_batches": None}),
        "espanjalainen": _ESPANJALAINEN,
    }
)

HOUSE_RULES: Final[Mapping[str, Mapping[str, object]]] = MappingProxyType(
    {
        "jokers": {"jokers": 2},
        "bluff": {"bluff": True, "pick_up": "any_time"},
        "invisible_threes": {"invisible_threes": True},
        "seven_stop": {"seven_stop": True},
        "long_row": {"face_up": 5},
        "four_twos_stay": {"four_twos_fall": False},
        "only_tens_and_aces_fall": {"four_falls": False},
        "courts_from_eight": {"court_floor": 8},
        "courts_anywhere": {"court_floor": 0},
        "courts_anywhere_after_stock": {"court_floor_after_stock": 0},
        "courts_from_eight_no_open": {"court_floor": 8, "courts_on_empty": "no"},
        "one_court_a_turn": {"courts_per_play": "one"},
        "ace_feeds_again": {"ace_on_empty": "feeds_again"},
        "ace_feeds_pass": {"ace_on_empty": "feeds_pass"},
        "ten_and_ace_feed_again": {"ace_on_empty": "feeds_again", "ten_on_empty": "feeds_again"},
        "ten_and_ace_feed_pass": {"ace_on_empty": "feeds_pass", "ten_on_empty": "feeds_pass"},
        "chance_card": {"stock_chance": "when_stuck"},
        "draw_first": {"draw_first": True},
        "relax_courts": {"relax_after_stock": ["courts"]},
        "relax_aces": {"relax_after_stock": ["aces"]},
        "relax_tens": {"relax_after_stock": ["tens"]},
        "relax_twos": {"relax_after_stock": ["twos"]},
    }
)


def rules_from(preset: str, options: Mapping[str, object] = MappingProxyType({})) -> Rules:
    """The rule set of a preset with overrides. Raises `RulesError` (section 11).

    >>> rules_from("table", {"seven_stop": True}).seven_stop
    True
    """
    if not isinstance(preset, str) or preset not in PRESETS:
        raise RulesError(RulesCode.UNKNOWN_PRESET)
    return altered(PRESETS[preset], options)
