"""What a seat can remember of the cards: which have gone, and which are in whose hand.

Rebuilt from the view and the events at each decision; nothing is kept between decisions.
"""

from collections.abc import Iterable, Sequence
from math import comb
from typing import NamedTuple

from games.engine.cards import BIT, RANK_MASK, RANKS, parse_card, rank_counts
from games.engine.history import EventDict
from games.engine.rules import packs_needed
from games.engine.view import View

_TAKERS = frozenset(("swap", "pick_up", "fed", "blind_failed", "chance_failed", "lie", "truth"))
_LOSES = frozenset(("play", "claim"))


class Memory(NamedTuple):
    """Cards by what is known of them."""

    hands: tuple[int, ...]
    """By seat: cards that were seen to come into the hand and not to leave it. In a bluff game they
    may have gone down under a claim since, so they count as unseen too."""
    unseen: bytes
    """By rank: cards that may be anywhere unseen: hands, stock, face-down rows, under claims."""
    hidden: int
    """How many cards there are unseen."""


def remember(view: View, events: Sequence[EventDict]) -> Memory:
    """All that counting gives."""
    hands = [0] * view.players
    for event in events:
        kind = event["event"]
        if kind in _TAKERS or (kind in _LOSES and hands[event["seat"]]):
            _follow(hands, event)
    assert view.seat is not None
    hands[view.seat] = view.hand
    pile = [lay.cards for lay in view.pile]
    sure = (view.hand,) if view.rules.bluff else hands
    unseen = _less(_whole_pack(view), (*sure, *view.ups, *pile, view.fallen))
    return Memory(tuple(hands), unseen, sum(unseen))


def none_fits(memory: Memory, fits: int, number: int) -> float:
    """How likely none of so many unseen cards fits."""
    number = max(number, 0)
    good = sum(memory.unseen[rank] for rank in range(1, 15) if fits & RANK_MASK[rank])
    bad = memory.hidden - good
    return comb(bad, number) / comb(memory.hidden, number) if number <= memory.hidden else 0.0


def _follow(hands: list[int], event: EventDict) -> None:
    """Move what can be seen of one event."""
    kind, seat, cards = event["event"], event["seat"], event.get("cards", [])
    if kind == "swap":
        hands[seat] = _with(_without(hands[seat], cards), event["taken"])
    elif kind == "play":
        hands[seat] = _without(hands[seat], cards)
    elif kind == "claim":
        hands[seat] = _without_rank(hands[seat], RANKS.index(event["rank"]), event["count"])
    else:
        hands[seat] = _with(_with(hands[seat], cards), event.get("taken", []))


def _with(hand: int, cards: Iterable[str]) -> int:
    for text in cards:
        bit = BIT[parse_card(text)]
        hand |= bit << 1 if hand & bit else bit
    return hand


def _without(hand: int, cards: Iterable[str]) -> int:
    for text in cards:
        bit = BIT[parse_card(text)]
        hand &= ~(bit << 1 if hand & bit << 1 else bit)
    return hand


def _without_rank(hand: int, rank: int, count: int) -> int:
    """A claim is taken at its word as far as known cards can make it true."""
    for card in range(8 * rank, 8 * rank + 8):
        if count and hand & BIT[card]:
            hand ^= BIT[card]
            count -= 1
    return hand


def _whole_pack(view: View) -> bytes:
    packs, _ = packs_needed(view.rules, view.players)
    return bytes((0, *[4 * packs] * 13, view.rules.jokers))


def _less(counts: bytes, masks: Iterable[int]) -> bytes:
    left = list(counts)
    for mask in masks:
        for rank, count in enumerate(rank_counts(mask)):
            left[rank] -= count
    return bytes(max(count, 0) for count in left)
