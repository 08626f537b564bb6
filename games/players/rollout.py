"""Plays a state out by a fast policy, and says how it went for one seat.

The policy is `cautious` in a few lines: plain cards first, from the top once the stock is gone,
treasures last and one by one. Knows all cards; who asks must have guessed the hidden ones.
"""

import random
from functools import lru_cache
from math import exp
from typing import Final, NamedTuple

from games.engine.actions import ACCEPT, BLIND, CHALLENGE, CHANCE, CLAIM, DRAW, PICK_UP
from games.engine.cards import (
    ACE,
    CARDS,
    JACK,
    JOKER,
    KING,
    RANK_MASK,
    TEN,
    THREE,
    TWO,
    rank_counts,
)
from games.engine.game import Game
from games.engine.phases import Phase

_TREASURES: Final = frozenset((TEN, ACE, TWO, JOKER))
_PLAIN: Final = CARDS & ~sum(RANK_MASK[rank] for rank in _TREASURES)
_IF_STUCK: Final = (DRAW, CHANCE, PICK_UP)
_CATCHES, _CATCHES_AT_THE_DOOR, _MISTAKES = 0.25, 0.6, 0.04
"""How likely each who may answer doubts a lie, one that would let its claimant out, the truth."""
_TENS: Final = RANK_MASK[TEN] | RANK_MASK[JOKER]
_LOW: Final = RANK_MASK[THREE] | RANK_MASK[THREE + 1] | RANK_MASK[THREE + 2]
_COURTS: Final = RANK_MASK[JACK] | RANK_MASK[JACK + 1] | RANK_MASK[KING]


class _Weights(NamedTuple):
    """What each card adds to the log odds of losing.

    Fitted to some 60,000 positions of deals that the policy played out (3 and 4 seats; table,
    classic, poytapaska, ruotsalainen, feeding).
    """

    low: float
    """For each 3 to 5 in the hand."""
    court: float
    ace: float
    """For each in hand or face-up row, tens and 2s too."""
    ten: float
    two: float
    ranks: float
    """For each different rank in the hand."""
    row: float
    """For each plain face-up card."""
    down: float
    rows: float
    """For having a row at all."""


_WITH_STOCK: Final = _Weights(0.15, -0.06, -0.2, -0.3, -0.25, 0.02, 0.13, 0.0, 0.0)
_WITH_ROWS: Final = _Weights(0.13, -0.04, -0.09, -0.33, -0.07, 0.16, 0.18, 0.49, 0.66)
_LAST_HAND: Final = _Weights(0.12, 0.0, 0.04, -0.46, -0.42, 0.45, 0.0, 0.0, 0.0)


def play_on(game: Game, seat: int, plies: int, rng: random.Random) -> float:
    """Play at most so many plies; how likely the seat is to lose then, from 0 to 1."""
    for _ in range(plies):
        if game.phase is Phase.PLAY:
            mine = game.turn == seat
            game.push(preferred(game.codes(), game.stock == 0))
            if mine and game.phase is Phase.PLAY and not game.held(seat):
                break
        elif game.phase is Phase.RESPOND:
            game.push(CHALLENGE if rng.random() < _doubt(game) else ACCEPT)
        else:
            break
    return _outlook(game, seat)


def _doubt(game: Game) -> float:
    """How likely a seat doubts the open claim: lies show, more or less."""
    laid = game.pile[-1]
    false = laid & CARDS & ~RANK_MASK[laid & 0xF]
    closing = not game.held(game.turn) and not game.stock
    return (_CATCHES_AT_THE_DOOR if closing else _CATCHES) if false else _MISTAKES


@lru_cache(maxsize=1 << 16)
def preferred(codes: tuple[int, ...], last: bool) -> int:
    """Of the codes that may be pushed what the policy likes best; `last`: no stock is left."""
    lays = [code for code in codes if code < BLIND]
    truths = [code - CLAIM for code in codes if CLAIM + 8 <= code < 256]
    if lays or truths:
        return _best(lays, last) if lays else CLAIM + _best(truths, last)
    lies = [code for code in codes if code > 255]
    return lies[0] if lies else next((code for code in _IF_STUCK if code in codes), codes[0])


def _best(lays: list[int], last: bool) -> int:
    plain = [code for code in lays if code >> 3 not in _TREASURES]
    if plain:
        rank = (max(plain) if last else min(plain)) >> 3
        return max(code for code in plain if code >> 3 == rank)
    return min(lays, key=lambda code: (code >> 3 != ACE, code))


def _outlook(game: Game, seat: int) -> float:
    """Whether the seat has lost; before the end, how its cards compare with those of the others."""
    if game.phase is Phase.OVER:
        last = game.places[-1]
        return 1 / len(last) if seat in last else 0.0
    odds = [_odds(game, other) for other in range(game.players)]
    return odds[seat] / sum(odds)


def _odds(game: Game, seat: int) -> float:
    """How likely a seat is to lose against others of equal cards; 0 for who is out."""
    hand, row, down = game.hands[seat], game.ups[seat], game.filled[seat].bit_count()
    if not hand and not row and not down:
        return 0.0
    weights = _weights(game, bool(row or down))
    cards = hand | row
    return exp(
        weights.low * (hand & _LOW).bit_count()
        + weights.court * (hand & _COURTS).bit_count()
        + weights.ace * (cards & RANK_MASK[ACE]).bit_count()
        + weights.ten * (cards & _TENS).bit_count()
        + weights.two * (cards & RANK_MASK[TWO]).bit_count()
        + weights.ranks * (15 - rank_counts(hand).count(0))
        + weights.row * (row & _PLAIN).bit_count()
        + weights.down * down
        + weights.rows
    )


def _weights(game: Game, rows: bool) -> _Weights:
    if game.stock:
        return _WITH_STOCK
    return _WITH_ROWS if rows else _LAST_HAND
