"""What a viewer knows: the view, the events, the default action, the numbers of decisions."""

import json

from games.engine import Game, Phase, events_since, history, rules_from, shuffled_deck, view
from games.engine.cards import texts
from games.engine.holdings import HOLD
from tests.games.engine.support import position

BLUFF: dict[str, object] = {"first_player": "left_of_dealer"}


def table_game() -> Game:
    return Game(rules_from("table"), 3, 0, shuffled_deck(bytes(32), 1, 0))


def test_the_public_sees_no_hand() -> None:
    public = view(table_game(), None).wire()
    assert public["hand"] is None
    assert public["hands"] == [5, 5, 5]
    assert public["down"] == [[True] * 3] * 3
    json.dumps(public)


def test_a_seat_sees_its_own_hand_and_every_row() -> None:
    game = table_game()
    own = view(game, 1).wire()
    assert own["hand"] == texts(game.hands[1])
    assert own["up"] == [texts(row) for row in game.ups]


def test_a_view_names_no_card_that_is_hidden() -> None:
    game = table_game()
    shown = json.dumps([view(game, 1).wire(), history(game, 1)])
    known = {*texts(game.hands[1]), *(card for row in game.ups for card in texts(row))}
    hidden = set(texts(sum(1 << card for card in game.deck))) - known
    assert [card for card in hidden if f'"{card}"' in shown] == []


def test_a_claim_is_hidden_from_all_but_its_claimant() -> None:
    game = position("valepaska", BLUFF, hands=["3C 4C 5C", "6C", "7C"])
    game.play(0, "C:3C4C=9")
    assert view(game, 0).wire()["pile"] == ["3C", "4C"]
    assert view(game, 1).wire()["pile"] == [None, None]
    assert view(game, None).wire()["claims"] == ["9", "9"]
    assert view(game, 1).wire()["top"] == "9"


def test_a_challenge_shows_the_claim_to_all_and_the_rest_of_the_pile_to_its_taker() -> None:
    game = position("valepaska", BLUFF, hands=["3C 4C", "6C 8C", "7C"])
    for action in ("0 C:3C=3", "1 .", "2 .", "1 C:6C=4", "2 !", "0 ."):
        game.play(int(action[0]), action[2:])
    lie = history(game, None)[-1]
    assert (lie["event"], lie["seat"], lie["cards"]) == ("lie", 1, ["6C"])
    assert "taken" not in lie
    assert history(game, 1)[-1]["taken"] == ["3C", "6C"]


def test_what_is_drawn_is_told_to_its_owner_alone() -> None:
    game = table_game()
    for seat in game.answer_order():
        game.play(seat, "S:/")
    game.play(1, game.default_action(1))
    drew = history(game, 1)[-1]
    assert (drew["event"], drew["count"], len(drew["cards"])) == ("drew", 1, 1)
    assert "cards" not in history(game, 0)[-1]
    assert history(game, 0)[-1]["count"] == 1


def test_events_since_a_ply_are_the_tail_of_all() -> None:
    game = table_game()
    for seat in game.answer_order():
        game.play(seat, "S:/")
    game.play(1, game.default_action(1))
    whole = history(game, 2)
    assert [event["event"] for event in whole[:4]] == ["deal", "swap", "swap", "swap"]
    assert events_since(game, 2, 3) == [event for event in whole if event["ply"] > 3]
    assert events_since(game, 2, game.ply) == []


def test_cards_of_a_bluff_pile_that_fell_unseen_are_only_counted() -> None:
    game = position("valepaska", BLUFF, hands=["3C 4C", "6C"], pile="9C")
    game.play(0, "C:3C=T")
    game.play(1, ".")
    seen = view(game, None).wire()
    assert (seen["fallen"], seen["fallen_unseen"]) == ({"9": 1}, 1)


def test_a_claim_that_was_shown_and_fell_is_known() -> None:
    rules = BLUFF | {"true_fall": "pile_falls"}
    game = position("valepaska", rules, hands=["TC 4C", "6C"], pile="9C")
    game.play(0, "C:TC=T")
    game.play(1, "!")
    assert view(game, None).wire()["fallen"] == {"9": 1, "T": 1}


def test_the_default_action_of_a_bluff_hand_is_true_if_it_can_be() -> None:
    game = position("valepaska", BLUFF, hands=["3C 9C", "6C 8C"], pile="7C")
    assert game.default_action(0) == "C:9C=9"
    game = position("valepaska", BLUFF, hands=["3C 4C", "6C 8C"], pile="7C")
    assert game.default_action(0) == "U"
    stuck = BLUFF | {"pick_up": "when_stuck"}
    game = position("valepaska", stuck, hands=["3C 4C", "6C 8C"], pile="7C")
    assert game.default_action(0) == "C:3C=7"
    game.play(0, "C:3C=7")
    assert game.default_action(1) == "."


def test_the_default_action_goes_down_its_list() -> None:
    draw: dict[str, object] = {"draw_first": True, "courts_on_empty": "no"}
    assert position("table", hands=["4C 4D", "5C"], pile="4H").default_action(0) == "P:4C"
    assert position("table", hands=["", "5C"], downs=["3C 4C", ""]).default_action(0) == "B:0"
    assert position("table", hands=["3C", "5C"], pile="4H").default_action(0) == "U"
    game = position("classic", draw, hands=["KC", "5C"], stock="3C")
    assert game.default_action(0) == "D"
    game.play(0, "D")
    assert game.default_action(0) == "P:3C"
    game = position("classic", {"courts_on_empty": "no"}, hands=["KC", "5C"])
    assert game.default_action(0) == "-"


def test_a_decision_after_drawing_first_has_a_number_of_its_own() -> None:
    game = position("classic", {"draw_first": True}, hands=["3C 4C", "5C"], stock="6C")
    game.play(0, "D")
    assert (game.move_number(0), game.move_number(1)) == (2, 1)


def test_a_window_that_closes_ends_the_decisions_of_all_who_could_answer() -> None:
    first = BLUFF | {"challenge_mode": "first"}
    game = position("valepaska", first, hands=["3C 4C", "5C 6C", "7C 8C"])
    game.play(0, "C:3C=5")
    game.play(2, "!")
    assert [game.move_number(seat) for seat in range(3)] == [2, 2, 2]


def test_a_finished_game_asks_nobody() -> None:
    game = position("table", hands=["3C", "4C"])
    game.play(0, "P:3C")
    assert game.phase is Phase.OVER
    wire = view(game, 0).wire()
    assert (wire["turn"], wire["to_act"], wire["places"]) == (None, [], [[0], [1]])
    assert [game.legal(seat) for seat in range(2)] == [[], []]


def test_equal_cards_of_two_packs_look_the_same_in_a_view() -> None:
    """Copies are numbered by the deck; a view with them would tell that the other lay before."""
    first = position("table", {"decks": 2}, hands=["7C", "4C"])
    second = position("table", {"decks": 2}, hands=["7C", "4C"])
    second.holdings[0] += second.hands[0] << HOLD
    assert view(first, 0) == view(second, 0)
