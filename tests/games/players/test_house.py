"""All house bots at all presets: legal, repeatable, and they come to an end."""

import random
from collections import Counter

import pytest

from games.engine import PRESETS, Ending, Phase, packs_needed, rules_from, shuffled_deck, view
from games.players import HOUSE, house_agent, play_out
from tests.games.engine.support import position
from tests.games.players.support import decisions, laid, picked_up, seed_of

FAST = {name: agent for name, agent in HOUSE.items() if name != "search"}
FAST["search"] = house_agent("search?nodes=60")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", FAST)
def test_four_alike_play_a_deal_to_its_end(preset: str, name: str) -> None:
    rules = rules_from(preset)
    packs, _ = packs_needed(rules, 4)
    deck = shuffled_deck(seed_of(1), packs, rules.jokers)
    game = play_out(rules, 4, 0, deck, [FAST[name]] * 4, seed_of(2))
    assert game.phase is Phase.OVER
    assert game.ending is not Ending.PLY_CAP


@pytest.mark.parametrize("name", HOUSE)
def test_the_same_seed_gives_the_same_choice(name: str) -> None:
    rng = random.Random(5)
    for preset in ("table", "valepaska"):
        every = list(decisions(rules_from(preset), 3, rng, ["cautious"], 60))
        for _, seat, shown, events in every[::10]:
            del seat
            seed = rng.randbytes(32)
            said = {FAST[name].choose(shown, events, seed) for _ in range(2)}
            assert len(said) == 1


def test_equal_choices_are_varied_by_the_seed() -> None:
    rules = rules_from("classic")
    deck = shuffled_deck(seed_of(3), 1, 0)
    games = {
        tuple(play_out(rules, 2, 0, deck, [HOUSE["lowest"]] * 2, seed_of(n)).log) for n in range(6)
    }
    assert len(games) > 1


def test_an_unknown_house_bot_is_named_with_those_there_are() -> None:
    with pytest.raises(KeyError, match="search"):
        house_agent("oracle")


def test_a_view_of_the_past_is_enough() -> None:
    """A bot asked again later, with what it saw then, says what it said then."""
    rng = random.Random(6)
    rules = rules_from("table")
    for game, seat, shown, events in decisions(rules, 3, rng, ["counter"], 40):
        assert view(game, seat) == shown
        assert len(events) >= 1


def test_in_a_loop_the_lay_least_tried_is_next() -> None:
    """Two seats hand an ace back and forth; three times out of four something else is laid."""
    game = position("table", hands=["JD QS AS 2D", "AC 3C", "4D KD"])
    shown, events = view(game, 0), [picked_up(0, "AS"), laid(0, "AC"), picked_up(0, "AC")] * 2
    said = Counter(HOUSE["counter"].choose(shown, events, seed_of(n)) for n in range(60))
    assert HOUSE["counter"].choose(shown, [], seed_of(0)) == "P:AS"
    assert said.keys() == {"P:AS", "P:JD", "P:QS", "P:2D"}
    assert 5 < said["P:AS"] < 25


def test_random_lays_all_of_a_rank_once_a_deal_drags_on() -> None:
    """Else one deal in some thousands reaches the cap."""
    shown = view(position("table", hands=["9C 9D 9H", "AC 3C", "4D KD"]), 0)
    late = shown._replace(ply=1100)
    said = [{HOUSE["random"].choose(at, [], seed_of(n)) for n in range(40)} for at in (shown, late)]
    assert said[0] >= {"P:9x1", "P:9x2", "P:9x3"}
    assert said[1] == {"P:9x3"}
