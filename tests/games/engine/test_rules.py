"""Rule sets: presets, house rules, what is refused, packs."""

import json

import pytest

from games.engine import HOUSE_RULES, PRESETS, RulesError, packs_needed, rules_from, rules_from_card
from tests.games.engine.support import WORDS, rules_of

HASHES = {
    "table": "ce9591a81a20",
    "classic": "980d3b2bee0c",
    "feeding": "b8ec9c7ab501",
    "valepaska": "bcdcd4e5ea26",
    "poytapaska": "0394e7cad55a",
    "ruotsalainen": "e789f672394a",
    "espanjalainen": "cd91862674ce",
}


def test_the_presets_have_the_published_hashes() -> None:
    assert {name: rules.hash for name, rules in PRESETS.items()} == HASHES


@pytest.mark.parametrize("preset", PRESETS)
def test_a_rules_card_gives_its_rules_back(preset: str) -> None:
    rules = rules_from(preset)
    assert rules_from_card(rules.card()) == rules
    assert list(json.loads(rules.card())) == sorted(json.loads(rules.card()))


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_every_house_rule_can_be_played(name: str) -> None:
    preset = "espanjalainen" if name == "chance_card" else "table"
    assert rules_from(preset, HOUSE_RULES[name]) is not None


def _refused(preset: str, options: dict[str, object]) -> tuple[str, str | None]:
    with pytest.raises(RulesError) as refused:
        rules_from(preset, options)
    return refused.value.code, refused.value.option


def test_what_is_refused_comes_in_order() -> None:
    assert _refused("kings", {"sevens": 1}) == ("unknown_preset", None)
    assert _refused("table", {"zz": 1, "aa": 1, "jokers": 9}) == ("unknown_option", "aa")
    assert _refused("table", {"jokers": True, "bluff": 1}) == ("bad_option_value", "bluff")
    both: dict[str, object] = {"bluff": True, "stock_chance": "when_stuck", "hand_batches": [1]}
    assert _refused("table", both) == ("option_conflict", "hand_batches")


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("jokers", True),
        ("jokers", 1.0),
        ("jokers", 5),
        ("decks", "1"),
        ("ace_falls", 1),
        ("courts_on_empty", True),
        ("hand_size", 7),
        ("hand_size", None),
        ("hand_batches", [2, 3.0]),
        ("hand_batches", [5, 0]),
        ("hand_batches", "221"),
        ("relax_after_stock", ["aces", "aces"]),
        ("relax_after_stock", "aces"),
        ("relax_after_stock", [["aces"]]),
        ("max_plies", 99),
        ("max_plies", 100_001),
        ("stalemate_repeats", 1),
        ("court_floor_after_stock", 7),
    ],
)
def test_a_value_outside_its_list_is_refused(option: str, value: object) -> None:
    assert _refused("table", {option: value}) == ("bad_option_value", option)


def test_hand_batches_must_add_up_to_the_hand() -> None:
    assert _refused("classic", {"hand_size": 4}) == ("option_conflict", "hand_batches")
    assert _refused("classic", {"hand_size": "all"}) == ("option_conflict", "hand_batches")
    assert _refused("table", {"hand_batches": []}) == ("option_conflict", "hand_batches")


def test_a_set_is_kept_sorted() -> None:
    assert rules_of(relax_after_stock=["twos", "aces"]).relax_after_stock == ("aces", "twos")


@pytest.mark.parametrize("option", WORDS)
def test_every_listed_value_is_accepted(option: str) -> None:
    for value in WORDS[option]:
        assert rules_of("table", **{option: value}).options()[option] == value


@pytest.mark.parametrize(
    ("players", "options", "packs"),
    [
        (4, {}, (1, False)),
        (5, {}, (2, True)),
        (6, {}, (2, False)),
        (5, {"jokers": 3}, (1, False)),
        (5, {"decks": 2}, (2, False)),
        (6, {"second_deck_from": None}, (2, True)),
        (2, {"second_deck_from": 2}, (2, False)),
        (6, {"hand_size": "all", "second_deck_from": None}, (1, False)),
    ],
)
def test_the_packs_a_deal_takes(
    players: int, options: dict[str, object], packs: tuple[int, bool]
) -> None:
    assert packs_needed(rules_of("table", **options), players) == packs


def test_a_deal_that_no_packs_cover_is_impossible() -> None:
    with pytest.raises(RulesError, match="deal_impossible"):
        packs_needed(rules_of("table", decks=1), 6)
    with pytest.raises(RulesError, match="deal_impossible"):
        packs_needed(rules_of("table", hand_size="all", face_up=5, face_down=5, decks=1), 6)
