"""Each of the six tips of rules.md section 14, at a position where it changes what is done."""

from games.engine import Game, parse_card, rules_from
from games.engine.cards import ordered_pack
from games.players import HOUSE
from tests.games.engine.support import mask, position
from tests.games.players.support import asked

CAUTIOUS, LOWEST = HOUSE["cautious"], HOUSE["lowest"]


def test_treasures_belong_in_the_row() -> None:
    row, hand = ["4C", "8D", "KH"], ["3C", "6D", "TC", "AD", "2S"]
    first = ["5C", "5D", "5H", "5S", "6C", "6H"]  # face down; then the rows and hands, seat 1 first
    others = ["7C", "7D", "7H", "7S", "8C", "8H", "8S", "9C"]
    rows = [card for pair in zip(row, others[:3], strict=True) for card in pair]
    hands = [card for pair in zip(hand, others[3:], strict=True) for card in pair]
    dealt = [parse_card(card) for card in (*first, *rows, *hands)]
    rest = [card for card in ordered_pack(1, 0) if card not in dealt]
    game = Game(rules_from("table"), 2, 0, (*dealt, *rest))
    assert asked(LOWEST, game, 1) == "S:/"
    assert asked(CAUTIOUS, game, 1) == "S:TCAD2S/4C8DKH"


def test_a_ten_is_kept_while_a_plain_card_fits() -> None:
    game = position("table", hands=["TC JD", "5C 6C 7C 8C", "5D 6D 7D 8D"], pile="9C", stock="4C")
    assert asked(LOWEST, game) == "P:TC"
    assert asked(CAUTIOUS, game) == "P:JD"


def test_a_two_does_for_a_light_pile_and_a_ten_for_a_heavy_one() -> None:
    hands = ["TC 2D", "5C 6C 7C 8C", "5D 6D 7D 8D"]
    light = position("table", hands=hands, pile="9C", stock="4C")
    heavy = position("table", hands=hands, pile="3C 4D 4H 6S 8H 9C", stock="4C")
    assert asked(CAUTIOUS, light) == "P:2D"
    assert asked(CAUTIOUS, heavy) == "P:TC"


def test_kings_go_while_they_may() -> None:
    hands = ["8C JD KS", "5C 6C 7C 8H", "5D 6D 7D 8D"]
    game = position("table", hands=hands, pile="7S", stock="4C")
    assert asked(LOWEST, game) == "P:8C"
    assert asked(CAUTIOUS, game) == "P:JD"
    one_court = position("table", hands=["8C 3D KS", *hands[1:]], pile="7S", stock="4C")
    assert asked(CAUTIOUS, one_court) == "P:8C"


def test_three_of_a_kind_wait_for_the_fourth_once_all_tens_are_gone() -> None:
    hands = ["8C 8D 8H 9S", "5C 6C 7C 6H", "5D 6D 7D 7H"]
    game = position("table", hands=hands, pile="5S", stock="4C")
    assert asked(CAUTIOUS, game) == "P:8C8D8H"
    game.fallen = mask("TC TD TH TS")
    assert asked(CAUTIOUS, game) == "P:9S"


def test_high_cards_go_first_when_the_stock_is_empty() -> None:
    hands = ["8C 9D 3S", "5C 6C 7C 8H", "5D 6D 7D 8D"]
    with_stock = position("table", hands=hands, pile="7S", stock="4C")
    without = position("table", hands=hands, pile="7S")
    assert asked(CAUTIOUS, with_stock) == "P:8C"
    assert asked(CAUTIOUS, without) == "P:9D"


def test_an_ace_is_for_when_somebody_is_about_to_go_out() -> None:
    full, short = "5C 6C 7C 8H", "5C 6C"
    hands = ["QD AC 3S", full, "5D 6D 7D 8D"]
    nobody = position("table", hands=hands, pile="JC", stock="4C")
    somebody = position("table", hands=[hands[0], short, hands[2]], pile="JC", stock="4C")
    assert asked(CAUTIOUS, nobody) == "P:QD"
    assert asked(CAUTIOUS, somebody) == "P:AC"
