"""The bluffing side: claims and doubts by the odds, and the habits that replace them."""

import pytest

from games.engine import EventDict, Game, History, View, view
from games.players import HOUSE, house_agent
from games.players.bluffing import at_least, sureness
from tests.games.engine.support import position
from tests.games.players.support import SEED, asked

COUNTER = HOUSE["counter"]


def claimed(hand: str, claim: str, stock: str = "4C 4D 4H 4S") -> Game:
    """Seat 2 has claimed; seat 0 holds `hand` and may answer."""
    hands = [hand, "5D 6D 8D 8H 9S", "7S KD QH JC 3S"]
    game = position("valepaska", hands=hands, pile="5C 6H", stock=stock, turn=2)
    game.play(2, claim)
    return game


def answer(game: Game, bot: str = "counter") -> str:
    events = game_events(game)
    return house_agent(bot).choose(*events, SEED)


def game_events(game: Game) -> tuple[View, list[EventDict]]:
    """What seat 0 sees, the deal left aside."""
    return view(game, 0), History(game, 0)[1:]


def test_who_holds_three_sevens_does_not_believe_two() -> None:
    assert answer(claimed("7C 7D 7H 9C JD", "C:KDQH=7")) == "!"


def test_who_holds_none_believes_one() -> None:
    assert answer(claimed("3C 3D 4C 9C JD", "C:7S=7")) == "."


def test_who_would_have_to_lie_or_pick_up_doubts_sooner() -> None:
    stuck, free = claimed("3C 3D 3H 7H 8C", "C:7S=9"), claimed("3C 3D 3H JH QC", "C:7S=9")
    assert sureness(view(stuck, 0)) < sureness(view(free, 0))


def test_who_is_not_next_doubts_only_what_is_as_good_as_sure() -> None:
    game = claimed("3C 3D 3H 7H 8C", "C:7S=9")
    assert sureness(view(game, 1)) > sureness(view(game, 0))


def test_the_last_claim_is_always_doubted_where_one_rival_is_left() -> None:
    game = position("valepaska", hands=["3C 4D", "9S"], pile="5C", turn=1)
    game.play(1, "C:9S=9")
    assert sureness(view(game, 0)) == 0.0


def test_the_habits_never_and_coin_do_not_look_at_odds() -> None:
    game = claimed("7C 7D 7H 9C JD", "C:KDQH=7")
    assert answer(game, "counter?doubts=never") == "."
    shown, events = game_events(game)
    coin = house_agent("counter?doubts=coin")
    said = {coin.choose(shown, events, bytes((n,)) * 32) for n in range(20)}
    assert said == {"!", "."}


def test_it_tells_the_truth_where_it_can() -> None:
    game = position("valepaska", hands=["7C KD 3S", "5D", "6D"], pile="5C", stock="4C")
    assert asked(COUNTER, game) == "C:7C=7"


def test_without_a_true_claim_it_lies_and_who_never_lies_picks_up() -> None:
    game = position("valepaska", hands=["3C 4D", "5D 9C", "6D 9D"], pile="8C", stock="5C")
    assert asked(COUNTER, game).startswith("C:")
    assert asked(house_agent("counter?lies=never"), game) == "U"


def test_a_habit_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="often"):
        house_agent("counter?lies=often")
    with pytest.raises(ValueError, match="no such setting"):
        house_agent("counter?hands=two")
    with pytest.raises(ValueError, match="no settings"):
        house_agent("lowest?lies=never")


def test_two_of_three_drawn_from_five_with_two_good_ones() -> None:
    assert abs(at_least(2, 3, 2, 5) - 0.3) < 1e-12
    assert at_least(3, 3, 2, 5) == 0.0
