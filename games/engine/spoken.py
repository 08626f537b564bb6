"""What a code means in a game's present state: its seat and its text; and the default action.

The way back from actions.py's codes to the notation of records. Changes nothing.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from games.engine.actions import (
    ACCEPT,
    BLIND,
    BY,
    CHALLENGE,
    CHANCE,
    CLAIM,
    DRAW,
    KEEP,
    OP,
    PASS,
    PICK_UP,
    SWAP,
    TAKEN,
    claim_text,
    lay_text,
    swap_text,
)
from games.engine.cards import CARDS, RANK_MASK, lowest, rank_of, ranks_in
from games.engine.menu import lays
from games.engine.phases import Phase
from games.engine.stand import Stand, Zone

if TYPE_CHECKING:
    from games.engine.game import Game

_BARE = {
    PICK_UP: "U",
    CHANCE: "X",
    DRAW: "D",
    PASS: "-",
    KEEP: "S:/",
    CHALLENGE: "!",
    ACCEPT: ".",
}

BLINDS = tuple(
    tuple(BLIND + slot for slot in range(5) if slots >> slot & 1) for slots in range(1 << 5)
)
"""The codes that turn over one of these face-down slots."""


def text_of(game: "Game", action: int) -> tuple[int, str]:
    """Seat and canonical text of a code that may be pushed now."""
    if action < 256:
        return _short(game, action)
    op = action & OP
    if op & BY:
        return op & 7, _BARE[action >> 8]
    if op & SWAP:
        return op & 7, swap_text(action & CARDS, action >> TAKEN & CARDS)
    cards = action & CARDS
    return _on_turn(game), claim_text(cards, op) if op else lay_text(cards)


def _short(game: "Game", action: int) -> tuple[int, str]:
    if action in (KEEP, CHALLENGE, ACCEPT):
        return game.next_answer(), _BARE[action]
    seat = _on_turn(game)
    zone = game.hands[seat] or game.ups[seat]
    if action < BLIND:
        return seat, lay_text(lowest(zone & RANK_MASK[action >> 3], (action & 7) + 1))
    if action >= CLAIM + 8:
        rank = action - CLAIM >> 3
        return seat, claim_text(lowest(zone & RANK_MASK[rank], (action & 7) + 1), rank)
    return seat, _BARE.get(action) or f"B:{action - BLIND}"


def _on_turn(game: "Game") -> int:
    return game.next[game.turn] if game.phase is Phase.RESPOND else game.turn


def default_action(game: "Game", seat: int) -> str:
    """What is played for a seat that does not answer (bots.md): swap none, accept, else the first
    of lowest play, lowest slot, pick up, draw first, pass."""
    if game.phase is Phase.SWAP:
        return "S:/"
    if game.waiting >> seat & 1:
        return "."
    return _default_on_turn(game.stand())


def _default_on_turn(stand: Stand) -> str:
    if stand.claims:
        return _default_claim(stand)
    if stand.zone is Zone.DOWN:
        return f"B:{(stand.slots & -stand.slots).bit_length() - 1}"
    if stand.playable:
        return lay_text(lowest(stand.playable, 1))
    return "U" if stand.may_pick_up else "D" if stand.may_draw else "-"


def _default_claim(stand: Stand) -> str:
    """The lowest truthful claim of one card; else pick up; else the lowest lie."""
    if stand.playable:
        card = lowest(stand.playable, 1)
        return claim_text(card, rank_of(card))
    return "U" if stand.may_pick_up else claim_text(lowest(stand.hand, 1), stand.namable[0])


def codes_of(game: "Game") -> tuple[int, ...]:
    """What `Game.codes` finds where there is more to do than to lay."""
    if game.phase is Phase.OVER:
        return ()
    if game.phase is Phase.SWAP:
        return (KEEP,)
    if game.phase is Phase.RESPOND:
        return (CHALLENGE, ACCEPT)
    stand = game.stand()
    marks = (stand.may_pick_up, PICK_UP), (stand.may_chance, CHANCE)
    more = (*marks, (stand.may_draw, DRAW), (stand.may_pass, PASS))
    return (*_cards_codes(stand), *(code for may, code in more if may))


def _cards_codes(stand: Stand) -> Sequence[int]:
    if stand.zone is Zone.DOWN:
        return BLINDS[stand.slots]
    truths = lays(stand.tables.single).learn(ranks_in(stand.playable))
    if not stand.claims:
        return truths
    if truths:
        return [CLAIM + code for code in truths]
    return [lowest(stand.hand, 1) | rank for rank in stand.namable]
