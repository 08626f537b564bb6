"""Every option value, error code, reading and tip has its sentence."""

import pytest

from games.engine import HOUSE_RULES, PRESETS, Code, RulesCode, rules_from
from games.engine.rules import OPTIONS
from games.engine.texts import ERRORS, READINGS, TIPS, option_text, readings, tips
from tests.games.engine.support import WORDS, rules_of


def test_every_error_code_has_a_sentence() -> None:
    assert set(ERRORS) == {*Code, *RulesCode, "malformed_record"}


@pytest.mark.parametrize("option", OPTIONS)
def test_every_value_of_an_option_has_a_sentence(option: str) -> None:
    for value in WORDS[option]:
        message, sentence = option_text(rules_of("table", **{option: value}), option)
        assert message.startswith(f"option.{option}")
        assert sentence.endswith(".")
    assert option_text(rules_from("classic"), option)


def test_different_words_of_an_option_are_told_apart() -> None:
    for option in OPTIONS:
        told = {option_text(rules_of("table", **{option: v}), option)[1] for v in WORDS[option]}
        assert len(told) == len(WORDS[option]), option


def test_every_reading_touches_some_rule_set() -> None:
    sets = [rules_from(preset) for preset in PRESETS]
    sets += [rules_from("table", HOUSE_RULES[n]) for n in HOUSE_RULES if n != "chance_card"]
    assert {name for rules in sets for name in readings(rules)} == set(READINGS)


def test_all_tips_hold_at_the_table_and_few_elsewhere() -> None:
    assert tips(rules_from("table")) == list(TIPS)
    assert tips(rules_from("classic")) == []
