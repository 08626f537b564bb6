"""Every setting has its sentence, and what is not said does not hold."""

from dataclasses import fields

import pytest

from league.formats.forecast import forecast
from league.formats.registry import FORMATS
from league.formats.sentences import sentences
from league.formats.settings import STEP_CODES, SettingError, Settings, read, stored
from league.formats.steps import STEPS

SAID_WITH_ANOTHER = {
    "chips_per": "chips",
    "word": "limit",
    "after_out": "limit",
    "deals": "rounds",
    "first_out": "rounds",
    "left": "rounds",
    "late_chips": "late_entry",
    "auto_confirm_minutes": "results",
    "capacity": "entrants",
    "no_show": "checkin_minutes",
}
SAID_ELSEWHERE = {"forbidden_pairs", "seeding", "steps"}
OTHER = {
    "table_size": 3,
    "deals_per_table": 2,
    "dealer": "loser",
    "ready_s": 60,
    "seating": "random",
    "few_left": 3,
    "advance": 2,
    "sudden_deaths": 0,
    "entrants": "people",
    "capacity": 12,
    "checkin_minutes": 10,
    "no_show": "withdraw",
    "late_entry": True,
    "late_chips": "zero",
    "freeze_versions": False,
    "bots_per_owner": 1,
    "results": "typed",
    "next_round": "by_hand",
    "auto_confirm_minutes": 5,
    "chips": "progressive",
    "chips_per": "table",
    "word": "HOUSU",
    "limit": 5,
    "after_out": "leaves",
    "stalemate": "share",
    "rounds": 7,
    "deals": 30,
    "first_out": True,
    "left": 2,
}


IN_ROUNDS_ONLY = {"late_entry", "late_chips", "limit", "word", "after_out", "first_out"}


def _said(changed: dict[str, object], about: str) -> list[str]:
    """What is said of settings, where `about` can be chosen at all."""
    more: dict[str, object] = {"limit": 5} if about in ("first_out", "after_out") else {}
    more |= {"late_entry": True} if about == "late_chips" else {}
    more |= {"results": "typed"} if about == "auto_confirm_minutes" else {}
    more |= {"entrants": "all"} if about == "ready_s" else {}
    told: list[str] = []
    for format in ("rounds",) if about in IN_ROUNDS_ONLY else ("rounds", "knockout"):
        told += [sentence.text for sentence in sentences(read({**more, **changed}, format), format)]
    return told


def test_all_settings_are_covered() -> None:
    names = {field.name for field in fields(Settings)}
    assert names == set(OTHER) | SAID_ELSEWHERE


@pytest.mark.parametrize("name", OTHER)
def test_a_changed_setting_changes_a_sentence(name: str) -> None:
    assert _said({name: OTHER[name]}, name) != _said({}, name)


@pytest.mark.parametrize("format", FORMATS)
def test_settings_come_back_as_they_were_kept(format: str) -> None:
    settings = read({"chips": {"4": [0, 0, 1, 2]}, "forbidden_pairs": [[1, 2]]}, format)
    assert stored(settings.to_json()) == settings
    assert "0/0/1/2 at 4" in " ".join(s.text for s in sentences(settings, format))


def test_steps_that_can_be_chosen_are_those_there_are() -> None:
    assert set(STEP_CODES) == set(STEPS)


@pytest.mark.parametrize(
    ("name", "value", "format"),
    [
        ("nothing", 1, "rounds"),
        ("table_size", 7, "knockout"),
        ("table_size", True, "knockout"),
        ("advance", 4, "knockout"),
        ("word", "pas ka", "rounds"),
        ("first_out", True, "rounds"),
        ("limit", 0, "strikes"),
        ("after_out", "plays_on", "strikes"),
        ("rounds", 0, "rounds"),
        ("chips", {"4": [1, 0, 0, 0]}, "rounds"),
        ("chips", {"4": [0, 0, 1]}, "rounds"),
        ("chips", {"11": [0] * 11}, "rounds"),
        ("chips", [], "rounds"),
        ("entrants", "cats", "rounds"),
        ("steps", ["chips", "chips"], "rounds"),
        ("steps", ["luck"], "rounds"),
        ("late_entry", 1, "rounds"),
        ("seating", ["balanced"], "rounds"),
    ],
)
def test_nonsense_is_refused_by_name(name: str, value: object, format: str) -> None:
    with pytest.raises(SettingError) as refused:
        read({name: value}, format)
    assert refused.value.name == name
    assert refused.value.sentence.endswith((".", "}, none fewer than the one before."))


def test_letters_with_eleven_people_and_six_deals_a_night_say_when_the_first_would_be_out() -> None:
    settings = read(
        {"word": "PASKA", "first_out": True, "rounds": 0, "deals_per_table": 6}, "rounds"
    )
    told = forecast(11, settings, "rounds")
    assert told.first_out is not None
    assert told.first_out[0] <= told.first_out[1] <= told.first_out[2]
    assert told.warning is not None
    assert told.rounds[1] < 4


def test_a_league_that_never_ends_is_told_so() -> None:
    told = forecast(4, read({"deals": 10_000, "rounds": 0}, "rounds"), "rounds")
    assert not told.ends
    assert told.warning is not None


def test_absence_makes_it_longer() -> None:
    settings = read({"limit": 5, "rounds": 0, "first_out": True, "deals_per_table": 1}, "rounds")
    here, away = (forecast(8, settings, "rounds", share) for share in (0.0, 0.6))
    assert away.rounds[1] > here.rounds[1]


def test_a_forecast_of_the_biggest_league_plays_few_rounds_and_is_the_same_again() -> None:
    settings = read({"limit": 100, "rounds": 200, "deals_per_table": 50}, "rounds")
    told = forecast(200, settings, "rounds")
    assert told == forecast(200, settings, "rounds")
    assert told.rounds == (200, 200, 200)
    assert told.first_out is not None


def test_numbers_take_their_plural() -> None:
    settings = Settings(rounds=10, deals_per_table=3, results="typed", entrants="people")
    told = " ".join(sentence.text for sentence in sentences(settings, "rounds"))
    assert "after 10 rounds" in told
    assert "plays 3 deals." in told
    assert "30 minutes before" in told
    assert "one round" in " ".join(s.text for s in sentences(Settings(rounds=1), "rounds"))
