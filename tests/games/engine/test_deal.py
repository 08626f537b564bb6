"""The shuffle, the deal, and what proves them."""

import hashlib
import hmac
import json

from games.engine import (
    Game,
    card_text,
    chain,
    commitment,
    competition_seed,
    deal_seed,
    deck_id,
    next_link,
    parse_card,
    rules_from,
    salt,
    shuffled_deck,
)
from games.engine.cards import cards_in, ordered_pack
from games.engine.deal import most_lowest
from tests.games.engine.support import mask

SEED = bytes([0xA5]) * 32
SERVER = bytes(range(32))


def test_a_deck_from_a_known_seed() -> None:
    deck = [card_text(card) for card in shuffled_deck(SEED, 1, 0)]
    assert deck[:8] == ["7S", "5S", "QS", "AD", "AC", "9D", "KC", "9S"]
    assert deck[-3:] == ["2D", "6D", "JD"]


def _shuffle_by_the_book(seed: bytes, pack: list[str]) -> list[str]:
    """Section 2's ten lines once more, written apart."""
    stream = b"".join(
        hashlib.sha256(seed + counter.to_bytes(4, "big")).digest() for counter in range(64)
    )
    at = 0
    for i in range(len(pack) - 1, 0, -1):
        while True:
            word = int.from_bytes(stream[at : at + 4], "big")
            at += 4
            if word < 2**32 - 2**32 % (i + 1):
                break
        j = word % (i + 1)
        pack[i], pack[j] = pack[j], pack[i]
    return pack


def test_the_shuffle_is_the_published_one() -> None:
    for number in range(50):
        seed = hashlib.sha256(bytes([number])).digest()
        pack = [card_text(card) for card in ordered_pack(2, 4)]
        deck = [card_text(card) for card in shuffled_deck(seed, 2, 4)]
        assert deck == _shuffle_by_the_book(seed, pack)


def test_the_ordered_pack_begins_with_the_two_of_clubs_and_ends_with_the_jokers() -> None:
    pack = [card_text(card) for card in ordered_pack(1, 2)]
    assert pack[:3] + pack[13:14] + pack[-3:] == ["2C", "3C", "4C", "2D", "AS", "*1", "*2"]


def test_equal_decks_are_equal_however_they_were_made() -> None:
    """Copies are numbered by appearance, so a deck says nothing of which pack a card is from."""
    deck = shuffled_deck(SEED, 2, 0)
    for card in range(8, 112, 2):
        assert deck.index(card) < deck.index(card + 1)


def test_rows_are_dealt_before_hands_from_the_left_of_the_dealer() -> None:
    deck = ordered_pack(1, 0)
    game = Game(rules_from("table"), 2, 0, deck)
    assert list(game.downs[1].to_bytes(3, "little")) == [deck[0], deck[2], deck[4]]
    assert sorted(cards_in(game.ups[0])) == sorted([deck[7], deck[9], deck[11]])
    assert sorted(cards_in(game.hands[1])) == sorted(deck[12:22:2])


def test_most_of_the_lowest_rank_begins_and_ties_go_clockwise_from_the_dealers_left() -> None:
    hands = [mask("3C KC"), mask("4C 4D"), mask("3D KD"), mask("4H 4S")]
    assert most_lowest(hands, dealer=0) == (2, 1)
    assert most_lowest(hands, dealer=2) == (0, 1)
    assert most_lowest([mask("*1 *2 KC"), mask("QC *3")], dealer=0) == (1, 10)


def test_who_can_be_committed_and_named_without_the_seed() -> None:
    assert commitment(SERVER) == hashlib.sha256(SERVER).digest()
    assert deck_id(SERVER) == hmac.new(SERVER, b"deck id", "sha256").hexdigest()[:32]


def test_the_deal_seed_hangs_on_every_seats_entropy() -> None:
    text = '["ab",[[1,"ä"],["2",""]]]'
    expected = hmac.new(SERVER, text.encode(), "sha256").digest()
    assert deal_seed(SERVER, "ab", [(1, "ä"), ("2", "")]) == expected
    assert json.loads(text)[1][0][1] == "ä"


def test_a_competitions_deck_has_a_seed_of_its_own() -> None:
    assert competition_seed(SERVER, "1/2/3/0") != competition_seed(SERVER, "1/2/3/1")


def test_a_chain_links_every_action_in_order() -> None:
    first = hashlib.sha256(
        commitment(SERVER)
        + hmac.new(SERVER, b"salt\0\0\0\1", "sha256").digest()
        + b'[0,"P:7C",null]'
    ).digest()
    second = next_link(first, salt(SERVER, 2), 1, "U", 1840)
    assert chain(SERVER, [(0, "P:7C")]) == first
    assert chain(SERVER, [(0, "P:7C"), (1, "U")], [None, 1840]) == second
    assert chain(SERVER, []) == commitment(SERVER)


def test_a_card_is_written_as_it_is_read() -> None:
    for card in ordered_pack(1, 4):
        assert parse_card(card_text(card)) == card
