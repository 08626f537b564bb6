"""Plays a state out by a fast policy, and says how it went for one seat.

The policy is `cautious` in a few lines: plain cards first, from the top once the stock is gone,
treasures last and one by one. Knows all cards; who asks must have guessed the hidden ones.
"""

from math import exp
from typing import Final

from games.engine.actions import BLIND, CHANCE, DRAW, PICK_UP
from games.engine.cards import ACE, CARDS, JOKER, RANK_MASK, TEN, TWO
from games.engine.game import Game
from games.engine.phases import Phase

_TREASURES: Final = RANK_MASK[TEN] | RANK_MASK[TWO] | RANK_MASK[ACE] | RANK_MASK[JOKER]
_PLAIN: Final = CARDS & ~_TREASURES
_CLEARING: Final = RANK_MASK[TEN] | RANK_MASK[TWO] | RANK_MASK[JOKER]
_STEEPNESS: Final = 0.22
"""How much one more card to get rid of adds to the odds of losing."""


def play_on(game: Game, seat: int, plies: int) -> float:
    """Play at most so many plies; how likely the seat is to lose then, from 0 to 1."""
    hands, ups, filled, push = game.hands, game.ups, game.filled, game.push
    for _ in range(plies):
        if game.phase is not Phase.PLAY:
            break
        turn = game.turn
        zone = hands[turn] or ups[turn]
        if not zone:
            slots = filled[turn]
            push(BLIND + (slots & -slots).bit_length() - 1)
            if not hands[seat] | ups[seat] | filled[seat]:
                break
            continue
        playable = zone & game.lay[game.top]
        if playable:
            push(_lay(game, playable))
            if turn == seat and not hands[seat] | ups[seat] | filled[seat]:
                break
        else:
            push(_without_a_lay(game))
    return _outlook(game, seat)


def _lay(game: Game, playable: int) -> int:
    """The code of the lay that the policy likes best."""
    plain = playable & _PLAIN
    if plain:
        last = game.at == len(game.deck)
        rank = (plain if last else plain & -plain).bit_length() - 1 >> 3
        count = (plain & RANK_MASK[rank]).bit_count()
        return 8 * rank + (0 if rank in game.tables.single else count - 1)
    low = playable & RANK_MASK[ACE] or playable
    return (low & -low).bit_length() - 1 >> 3 << 3


def _without_a_lay(game: Game) -> int:
    codes = game.codes()
    for code in (DRAW, CHANCE, PICK_UP):
        if code in codes:
            return code
    return codes[0]


def _outlook(game: Game, seat: int) -> float:
    """Whether the seat has lost; before the end, how its cards compare with those of the others."""
    if game.phase is Phase.OVER:
        last = game.places[-1]
        return 1 / len(last) if seat in last else 0.0
    burdens = [_burden(game, other) for other in range(game.players)]
    if not burdens[seat]:
        return 0.0
    odds = [exp(_STEEPNESS * burden) if burden else 0.0 for burden in burdens]
    return odds[seat] / sum(odds)


def _burden(game: Game, seat: int) -> float:
    """How much a seat has still to get rid of; 0 for who is out."""
    cards, down = game.hands[seat] | game.ups[seat], game.filled[seat].bit_count()
    if not cards and not down:
        return 0.0
    treasures = (cards & _CLEARING).bit_count()
    return max(0.1, cards.bit_count() - 1.3 * treasures + 1.2 * down)
