"""What `counter` remembers, and where that changes what it does."""

from games.engine import view
from games.engine.cards import NINE, RANKS, TEN
from games.players import HOUSE
from games.players.memory import none_fits, remember
from tests.games.engine.support import mask, position
from tests.games.players.support import asked, laid, picked_up

HANDS = ["5C 8D 3S", "6C 6D 7C 7D", "KC KD KH KS"]


def test_what_was_picked_up_is_known_until_it_is_laid() -> None:
    game = position("table", hands=HANDS, stock="4C")
    memory = remember(view(game, 0), [picked_up(1, "6C", "7C"), laid(1, "6C")])
    assert memory.hands[1] == mask("7C")


def test_unseen_is_the_pack_without_all_that_was_seen() -> None:
    game = position("table", hands=HANDS, pile="9C 9D", stock="4C")
    game.fallen = mask("TC TD TH TS")
    memory = remember(view(game, 0), [])
    assert memory.unseen[TEN] == 0
    assert memory.unseen[NINE] == 2
    assert memory.unseen[RANKS.index("8")] == 3
    assert memory.hidden == 52 - 3 - 2 - 4


def test_none_of_two_unseen_cards_fits() -> None:
    game = position("table", hands=HANDS)
    memory = remember(view(game, 0), [])
    jacks = mask("JC JD JH JS")
    assert abs(none_fits(memory, jacks, 2) - (45 / 49) * (44 / 48)) < 1e-12


def test_it_lays_what_the_next_player_is_known_not_to_follow() -> None:
    game = position("table", hands=HANDS, pile="3C 3D 3H 4D 4H", stock="4C")
    known = [picked_up(1, "6C", "6D", "7C", "7D")]
    assert asked(HOUSE["cautious"], game, 0, known) == "P:5C"
    assert asked(HOUSE["counter"], game, 0, known) == "P:8D"
