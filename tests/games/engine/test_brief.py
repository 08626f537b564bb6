"""Logs in the form of records are the same logs."""

import pytest

from games.engine import PRESETS, encode_log, lengthened, packs_needed, shortened, shuffled_deck
from games.engine.codec import encode
from games.players import HOUSE, play_out


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_game_of_any_preset_comes_back_byte_for_byte_and_is_no_longer(preset: str) -> None:
    rules = PRESETS[preset]
    for number in range(3):
        seed = bytes((number,)) * 32
        packs, _ = packs_needed(rules, 4)
        deck = shuffled_deck(seed, packs, rules.jokers)
        log = encode_log(play_out(rules, 4, 3, deck, [HOUSE["random"]] * 4, seed))
        short = shortened(log)
        assert lengthened(short) == log
        assert len(short) <= len(log)
        # A log from before is read as it is.
        assert lengthened(log) == log


def test_lays_of_one_rank_are_two_bytes_and_what_else_names_cards_stays() -> None:
    for rank in range(1, 15):
        for cards in (1, 0x80, 0xFF):
            lay = encode(cards << 8 * rank)
            assert len(shortened(lay)) == 2
            assert lengthened(shortened(lay + lay)) == lay + lay
    claim = encode(0x3000 | 5)
    assert shortened(claim) == claim == lengthened(claim)
