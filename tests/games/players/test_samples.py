"""What `search` guesses: each state gives back exactly view and events, all equally often.

The promise is 10,000 views: `make prove`.
"""

import random

import pytest

from games.engine import Game, history, rules_from, view
from games.engine.cards import TEN, ordered_pack
from tests.games.players.sampling import (
    SMALL,
    bluff_views,
    check,
    could_guess,
    distances,
    open_views,
)

VIEWS = 150


def test_every_sample_gives_back_the_view_and_the_events() -> None:
    rng = random.Random(11)
    for shown, events in open_views(VIEWS, rng):
        check(shown, events, rng)


def test_bluff_histories_give_back_the_view_and_the_events() -> None:
    rng = random.Random(12)
    lost = sum(not could_guess(*seen, rng) for seen in bluff_views(VIEWS // 3, rng))
    assert lost <= VIEWS // 50


@pytest.mark.parametrize(("preset", "options"), SMALL)
@pytest.mark.parametrize("deal", range(2))
def test_samples_are_as_frequent_as_enumeration_says(
    preset: str, options: dict[str, object], deal: int
) -> None:
    for apart, states in distances(preset, options, deal, 800):
        assert apart < 0.02 + 0.6 * (states / 800) ** 0.5


def test_a_beginner_chosen_by_a_rank_that_seldom_is_the_lowest() -> None:
    """All 3s to 9s lie in the stock: hardly any other deal begins with tens."""
    rules = rules_from("classic", {"first_player": "most_lowest", "opening": "deciding_rank"})
    low: list[int] = []
    high: list[int] = []
    for card in ordered_pack(1, 0):
        (high if card >> 3 >= TEN else low).append(card)
    game = Game(rules, 4, 0, (*high, *low))
    assert game.turn >= 0
    for seat in range(4):
        check(view(game, seat), history(game, seat), random.Random(seat))
