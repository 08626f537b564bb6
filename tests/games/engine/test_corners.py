"""The corners of rules.md sections 4 to 10 and 12 that are easily got wrong."""

import pytest

from games.engine import Ending, Game, IllegalAction, Phase
from games.engine.cards import texts
from tests.games.engine.support import position, seen, told


def code(game: Game, seat: int, text: str) -> str:
    """The error code of an action that must be refused."""
    with pytest.raises(IllegalAction) as refused:
        game.play(seat, text)
    return refused.value.code


# Passing (section 4)

NO_OPEN: dict[str, object] = {"first_player": "left_of_dealer", "courts_on_empty": "no"}


def test_drawing_first_does_not_break_the_row_of_passes() -> None:
    game = position(
        "classic", NO_OPEN | {"draw_first": True}, hands=["JC", "QC"], stock="KC KD KH KS"
    )
    for action in ("0 D", "0 -", "1 D", "1 -"):
        game.play(int(action[0]), action[2:])
    assert game.legal(0) == ["D", "P:Jx1", "P:Kx1"]


def test_a_failed_blind_card_breaks_the_row_of_passes() -> None:
    game = position(
        "classic", NO_OPEN | {"face_down": 1}, hands=["JC", "QC", ""], downs=["4C", "4D", "KC KD"]
    )
    game.play(0, "-")
    game.play(1, "-")
    assert game.legal(2) == ["B"]
    game.play(2, "B:0")
    game.play(0, "-")
    assert game.legal(1) == ["-"]
    game.play(1, "-")
    game.play(2, "-")
    assert game.legal(0) == ["P:Jx1"]


def test_who_has_only_face_down_cards_may_not_pass() -> None:
    game = position("classic", NO_OPEN | {"face_down": 1}, hands=["", "QC"], downs=["JC", "4C"])
    assert code(game, 0, "-") == "can_act"


def test_an_illegal_ten_that_opens_after_passes_lies_there() -> None:
    game = position(
        "classic",
        NO_OPEN | {"ten_on_empty": "illegal"},
        hands=["TC TD JC", "KC QC"],
    )
    game.play(0, "-")
    game.play(1, "-")
    game.play(0, "P:TCTD")
    assert told(game)[-1] == "play"
    assert code(game, 1, "P:KC") == "only_ten_on_ten"


def test_four_illegal_aces_that_open_after_passes_fall() -> None:
    game = position(
        "classic", NO_OPEN | {"ace_on_empty": "illegal"}, hands=["AC AD AH AS JC", "KC"]
    )
    game.play(0, "-")
    game.play(1, "-")
    game.play(0, "P:ACADAHAS")
    assert told(game)[-1] == "fall:four"
    assert game.turn == 0


def test_the_limits_a_play_hold_for_an_opening_after_passes() -> None:
    game = position("classic", NO_OPEN | {"courts_per_play": "one"}, hands=["JC JD", "KC"])
    game.play(0, "-")
    game.play(1, "-")
    assert code(game, 0, "P:JCJD") == "one_court"


# Feeding (section 6)

FEEDS: dict[str, object] = {"ace_on_empty": "feeds_again", "first_player": "left_of_dealer"}


def test_four_aces_without_four_of_a_kind_neither_fall_nor_feed() -> None:
    game = position("classic", FEEDS | {"four_falls": False}, hands=["AC AD AH AS 3C", "4C"])
    game.play(0, "P:ACADAHAS")
    assert told(game) == ["play"]
    assert (game.turn, len(texts(game.pile[0]))) == (1, 4)


def test_three_aces_feed_together() -> None:
    game = position("classic", FEEDS, hands=["AC AD AH 3C", "4C"])
    game.play(0, "P:ACADAH")
    assert told(game) == ["play", "fed:1"]
    assert game.turn == 0
    assert seen(game, 1)["hand"] == ["4C", "AC", "AD", "AH"]


def test_an_ace_on_invisible_threes_does_not_feed() -> None:
    game = position("classic", FEEDS | {"invisible_threes": True}, hands=["AC 3C", "4C"], pile="3D")
    game.play(0, "P:AC")
    assert told(game) == ["play"]


def test_a_feeder_draws_before_he_goes_on() -> None:
    game = position("classic", FEEDS, hands=["AC 3C", "4C"], stock="5C 6C 7C 8C 9C")
    game.play(0, "P:AC")
    assert told(game) == ["play", "fed:1", "drew:4"]


# Drawing first and the stock (section 7)


def test_the_last_card_drawn_first_makes_the_stock_empty() -> None:
    relaxed: dict[str, object] = {"draw_first": True, "relax_after_stock": ["courts"]}
    game = position("classic", relaxed, hands=["KC", "3C"], pile="4C", stock="5C")
    assert code(game, 0, "P:KC") == "court_floor"
    game.play(0, "D")
    assert code(game, 0, "D") == "already_drawn"
    game.play(0, "P:KC")
    assert told(game) == ["draw_first", "play"]


def test_in_the_row_stage_there_is_nothing_to_draw() -> None:
    game = position("table", {"draw_first": True}, hands=["", "4C"], ups=["3C", ""])
    assert code(game, 0, "D") == "stock_empty"


def test_a_failed_chance_card_is_noted_like_any_pick_up() -> None:
    game = position(
        "classic",
        {"stock_chance": "when_stuck"},
        hands=["3C 3D", "4C"],
        pile="KC",
        stock="5C 6C",
    )
    game.play(0, "X")
    assert told(game) == ["chance_failed"]
    assert len(game.notes) == 1


# The end (sections 4 and 10)


def test_a_fall_with_the_last_card_gives_the_turn_to_the_left() -> None:
    game = position("table", hands=["TC", "3C", "4C"], pile="9C")
    game.play(0, "P:TC")
    assert told(game) == ["play", "fall:ten", "out:0"]
    assert (game.turn, game.places) == (1, ((0,),))


def test_the_turn_skips_who_went_out_long_before() -> None:
    game = position("table", hands=["3C", "4C", "5C", "6C 7C"])
    for action in ("0 P:3C", "1 P:4C", "2 P:5C"):
        game.play(int(action[0]), action[2:])
    assert game.places == ((0,), (1,), (2,), (3,))
    assert game.ending is Ending.OVER


def test_a_stalemate_goes_before_the_cap() -> None:
    rules: dict[str, object] = {"stalemate_repeats": 2, "max_plies": 100}
    once, again = (position("table", rules, hands=["4C", "4D"], pile="9C") for _ in range(2))
    once.play(0, "U")
    again.notes, again.log = once.notes, [0] * 99
    again.play(0, "U")
    assert again.ending is Ending.STALEMATE


def test_the_cap_places_who_has_fewer_cards_first_and_shares_the_loss() -> None:
    game = position("table", {"max_plies": 100}, hands=["3C 4C 5C", "6C", "7C 7D"])
    game.log = [0] * 99
    game.play(0, "P:3C")
    assert game.ending is Ending.PLY_CAP
    assert game.places == ((1,), (0, 2))


def test_a_fall_clears_the_notes() -> None:
    game = position("table", hands=["4C TC", "4D"], pile="9C", stock="")
    game.play(0, "P:TC")
    assert game.notes == {}


# Bluffing (section 9)

BLUFF: dict[str, object] = {"first_player": "left_of_dealer"}
FIRST = BLUFF | {"challenge_mode": "first"}


def test_a_joker_is_claimed_only_where_jokers_are_in_the_pack() -> None:
    game = position("valepaska", BLUFF, hands=["3C", "4C"])
    assert code(game, 0, "C:3C=*") == "option_off"
    assert code(game, 1, "C:3C=*") == "option_off"


def test_the_code_of_a_play_by_name_in_a_bluff_hand() -> None:
    game = position("valepaska", BLUFF, hands=["3C 4C", "5C"])
    assert code(game, 0, "P:3C5C") == "not_your_card"
    assert code(game, 0, "P:3C4C") == "claim_required"


def test_the_next_player_may_act_after_he_has_accepted() -> None:
    game = position("valepaska", FIRST, hands=["3C 4C", "5C 6C", "7C 8C"])
    game.play(0, "C:3C=5")
    game.play(1, ".")
    assert game.to_act() == (1, 2)
    assert "!" not in game.legal(1)
    game.play(1, "C:5C=6")
    assert told(game) == ["claim", "accept", "claim_stands", "claim"]


def test_an_illegal_action_of_the_next_player_leaves_the_window_open() -> None:
    game = position("valepaska", FIRST, hands=["3C 4C", "5C 6C"])
    game.play(0, "C:3C=9")
    assert code(game, 1, "C:5C=3") == "too_low"
    assert code(game, 1, "-") == "can_act"
    assert code(game, 0, "C:4C=9") == "not_your_turn"
    assert game.phase is Phase.RESPOND
    game.play(1, "!")
    assert told(game) == ["claim", "challenge", "lie"]


def test_an_open_window_is_judged_as_if_the_claimant_had_drawn() -> None:
    """His refill takes the last stock card, so the next player has nothing to draw first."""
    game = position(
        "valepaska", FIRST | {"draw_first": True}, hands=["3C 4C 5C 6C 8C", "5D 6D"], stock="9C"
    )
    game.play(0, "C:3C=5")
    assert "D" not in game.legal(1)
    assert code(game, 1, "D") == "stock_empty"


def test_relaxations_hold_for_who_closes_a_window_on_the_last_stock_card() -> None:
    rules = FIRST | {"relax_after_stock": ["courts"]}
    game = position("valepaska", rules, hands=["3C 4C 5C 6C 8C", "5D KD"], stock="9C")
    game.play(0, "C:3C=4")
    game.play(1, "C:KD=K")
    assert told(game) == ["claim", "claim_stands", "drew:1", "claim"]


def test_a_claim_with_the_last_cards_must_be_answered_by_all() -> None:
    game = position("valepaska", FIRST, hands=["3C", "5C 6C", "7C"])
    game.play(0, "C:3C=5")
    assert game.to_act() == (1, 2)
    assert code(game, 1, "C:5C=5") == "wrong_phase"


def test_a_challenger_who_is_right_lets_nobody_draw() -> None:
    game = position("valepaska", BLUFF, hands=["3C 4C", "5C"], stock="6C 7C 8C")
    game.play(0, "C:3C=5")
    game.play(1, "!")
    assert told(game) == ["claim", "challenge", "lie"]
    assert (game.turn, game.stock) == (1, 3)


def test_a_true_four_with_pile_falls_names_its_cause() -> None:
    game = position(
        "valepaska", BLUFF | {"true_fall": "pile_falls"}, hands=["8C 8D 8H 8S 3C", "5C"]
    )
    game.play(0, "C:8C8D8H8S=8")
    game.play(1, "!")
    assert told(game) == ["claim", "challenge", "truth", "fall:four"]
    assert game.turn == 0


def test_true_fall_says_nothing_about_a_claim_that_would_feed() -> None:
    rules = BLUFF | {"true_fall": "pile_falls", "ace_on_empty": "feeds_again"}
    game = position("valepaska", rules, hands=["AC 3C", "5C"])
    game.play(0, "C:AC=A")
    game.play(1, "!")
    assert told(game) == ["claim", "challenge", "truth"]
    assert seen(game, 1)["hand"] == ["5C", "AC"]
    assert game.turn == 0


def test_positions_of_a_bluff_game_are_not_noted_while_there_is_a_stock() -> None:
    game = position("valepaska", BLUFF, hands=["3C 4C", "5C"], stock="6C")
    game.play(0, "C:3C=5")
    game.play(1, "!")
    assert game.notes == {}


def test_a_truth_that_takes_the_last_stock_card_is_noted() -> None:
    game = position("valepaska", BLUFF, hands=["5C 4C", "6C"], stock="7C")
    game.play(0, "C:5C=5")
    game.play(1, "!")
    assert told(game) == ["claim", "challenge", "truth", "drew:1"]
    assert len(game.notes) == 1


def test_the_cards_of_an_open_claim_are_nobodys_at_the_cap() -> None:
    game = position("valepaska", BLUFF | {"max_plies": 100}, hands=["3C 4C", "5C 6C"])
    game.log = [0] * 99
    game.play(0, "C:3C=5")
    assert game.places == ((0,), (1,))


# Codes in their order (section 12)


def test_who_is_not_in_the_round_is_malformed_before_anything() -> None:
    game = position("table", hands=["3C", "4C"])
    game.play(0, "P:3C")
    assert code(game, 2, "U") == "malformed_action"
    assert code(game, 0, "C:3C=3") == "round_over"


def test_an_option_that_is_off_goes_before_the_turn() -> None:
    game = position("classic", hands=["3C", "4C"])
    for text in ("D", "X", "B:0", "S:/", "!", "C:4C=4"):
        assert code(game, 1, text) == "option_off"


def test_answers_in_play_are_too_late_from_whomever() -> None:
    game = position("valepaska", BLUFF, hands=["3C", "4C"])
    assert code(game, 0, "!") == code(game, 1, ".") == "window_closed"


def test_a_play_by_name_in_the_face_down_stage_is_in_the_wrong_zone_whatever_it_names() -> None:
    game = position("table", hands=["", "4C"], downs=["3C", ""])
    assert code(game, 0, "P:3C") == code(game, 0, "P:KD") == "wrong_zone"
    assert code(game, 0, "B:1") == code(game, 0, f"B:{'9' * 5000}") == "no_such_slot"
    assert code(game, 0, "U") == "pile_empty"


def test_when_stuck_a_blind_card_has_to_be_tried() -> None:
    game = position("table", hands=["", "4C"], downs=["3C", ""], pile="KC")
    assert code(game, 0, "U") == "not_stuck"


def test_an_ace_on_a_ten_that_stays_is_told_about_the_ten() -> None:
    game = position("classic", hands=["AC 2C 3C", "4C"], pile="TC")
    assert code(game, 0, "P:AC") == code(game, 0, "P:3C") == "only_ten_on_ten"
    assert code(game, 0, "P:2C") == "two_barred"


def test_a_stop_by_seven_is_told_even_to_a_ten() -> None:
    game = position("classic", {"seven_stop": True}, hands=["TC 8C AC 3C 2C", "4C"], pile="7C")
    assert {code(game, 0, f"P:{card}") for card in ("TC", "8C", "AC")} == {"seven_stop"}
    assert game.legal(0) == ["P:2x1", "P:3x1", "U"]


def test_an_ace_below_the_floor_is_told_so_where_it_needs_the_floor() -> None:
    game = position("espanjalainen", hands=["AC JC 4C", "4D"], pile="6C")
    assert code(game, 0, "P:AC") == code(game, 0, "P:JC") == "court_floor"
    assert code(game, 0, "P:4C") == "too_low"


def test_a_rank_that_does_not_fit_goes_before_too_many_cards() -> None:
    game = position("espanjalainen", hands=["TC TD 2C 2D", "4D"], pile="2H")
    assert code(game, 0, "P:TCTD") == "ten_barred"
    assert code(game, 0, "P:2C2D") == "one_special"


def test_equal_cards_of_two_packs_are_taken_from_the_hand_first() -> None:
    game = position("table", {"decks": 2}, hands=["7C 7C", "4C"], ups=["7D", ""])
    assert code(game, 0, "P:7C7C7C") == "not_your_card"
    assert code(game, 0, "P:7C7D") == "wrong_zone"
    game.play(0, "P:7C7C")
    assert texts(game.pile[0]) == ["7C", "7C"]


def test_a_swap_gives_from_the_hand_and_takes_from_the_row() -> None:
    swap: dict[str, object] = {"swap": "before_play"}
    game = position("table", swap, hands=["3C 4C", "5C"], ups=["AC 2C", "6C"])
    game.phase, game.waiting = Phase.SWAP, 0b11
    assert code(game, 0, "S:AC/3C") == code(game, 0, "S:3C3C/AC2C") == "not_your_card"
    assert code(game, 0, "S:3C/") == "swap_unequal"
    assert code(game, 0, "U") == code(game, 0, "P:3C") == "wrong_phase"
    game.play(0, "S:4C3C/AC2C")
    assert seen(game, 0) == {"hand": ["AC", "2C"], "up": ["3C", "4C"]}
    assert code(game, 0, "S:/") == "already_acted"


@pytest.mark.parametrize(
    "text", ["", "P:7c", "P:7C ", "U ", "U\n", "B:", "B:01", "B:-1", "B:１", "C:=7", "S:", "P:0x1"]
)
def test_anything_but_the_forms_is_malformed(text: str) -> None:
    game = position("table", hands=["7C", "4C"])
    assert code(game, 0, text) == "malformed_action"
