"""Who gets which card at the start (rules.md sections 2 and 3). Knows nothing of play."""

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from games.engine.cards import ALL_RANKS, BIT, JOKER, RANK_MASK
from games.engine.rules import Rules


class Deal(NamedTuple):
    """The cards as dealt, by seat. `downs` packs one slot into each byte; `at` cards are gone from
    the deck."""

    hands: list[int]
    ups: list[int]
    downs: list[int]
    at: int


def deal(rules: Rules, players: int, dealer: int, deck: Sequence[int]) -> Deal:
    """Deal a deck: all face-down cards, then all face-up cards, then the hands."""
    seats = clockwise(players, dealer)
    cards = iter(deck)
    downs = [0] * players
    for slot in range(rules.face_down):
        for seat in seats:
            downs[seat] |= next(cards) << 8 * slot
    ups, hands = [0] * players, [0] * players
    for _ in range(rules.face_up):
        for seat in seats:
            ups[seat] |= BIT[next(cards)]
    in_rows = players * (rules.face_down + rules.face_up)
    for batch in _batches(rules, players, len(deck) - in_rows):
        for seat in seats:
            for card in islice(cards, batch):
                hands[seat] |= BIT[card]
    at = len(deck) if rules.hand_size == "all" else in_rows + players * rules.hand_size
    return Deal(hands, ups, downs, at)


def clockwise(players: int, seat: int) -> tuple[int, ...]:
    """All seats, from the left of one round to that one."""
    return tuple((seat + step) % players for step in range(1, players + 1))


def most_lowest(hands: Sequence[int], dealer: int) -> tuple[int, int]:
    """The seat with most of the lowest rank that anybody holds, and that rank; ties go to the first
    from the dealer's left. (Jokers never count, and no pack has enough to fill all hands.)"""
    rank = next(r for r in sorted(ALL_RANKS - {JOKER}) if any(h & RANK_MASK[r] for h in hands))
    seats = clockwise(len(hands), dealer)
    return max(seats, key=lambda seat: (hands[seat] & RANK_MASK[rank]).bit_count()), rank


def _batches(rules: Rules, players: int, left: int) -> Sequence[int]:
    """How many cards each player gets at once, lap by lap; the last lap of `all` may fall short."""
    if rules.hand_size == "all":
        return [1] * -(-left // players)
    return rules.hand_batches or [1] * rules.hand_size
