"""Actions as text (rules.md section 4) and as the small ints that games push and log.

Codes below 256 are one byte in the compact codec: a lay or a truthful claim of the lowest cards of
a rank, or something that names no card. Wider ints name their cards: the low byte, which no card
uses, says what is done with them. Knows no state: what is legal stands in judge.py.
"""

import re
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from games.engine.cards import RANKS, cards_text, parse_cards
from games.engine.errors import Code, IllegalAction

# One byte: 8 * rank + count - 1 lays the `count` lowest cards of a rank (8 to 119), and
CLAIM: Final = 128  # this + the same claims them truthfully (136 to 247),
BLIND: Final = 120  # this + slot turns a face-down card (120 to 124).
PICK_UP, CHANCE, DRAW, PASS, KEEP, CHALLENGE, ACCEPT = 125, 126, 127, 128, 129, 130, 131

# Wider: a mask of cards and in the low byte 0 (lay), a rank (claim that rank), or
OP: Final = 0xFF
SWAP: Final = 0x10  # this + seat: gives the cards, takes those TAKEN bits further up
BY: Final = 0x20  # this + seat: the code above it, by a seat whose answer was not the next
TAKEN: Final = 112


class Verb(StrEnum):
    """What an action does, by the mark it begins with."""

    PLAY = "P"
    CLAIM = "C"
    BLIND = "B"
    CHANCE = "X"
    DRAW = "D"
    PICK_UP = "U"
    PASS = "-"  # noqa: S105
    SWAP = "S"
    CHALLENGE = "!"
    ACCEPT = "."


ANSWERS: Final = frozenset((Verb.CHALLENGE, Verb.ACCEPT))


class Said(NamedTuple):
    """An action as read. Cards are first copies in the order written."""

    verb: Verb
    cards: tuple[int, ...] = ()
    taken: tuple[int, ...] = ()
    rank: int = 0
    """The named rank of a claim, or of a play of `number` lowest cards."""
    number: int = 0
    slot: int = 0


_CARDS: Final = r"(?:[3-9TJQKA2][CDHS]|\*[1-4])"
_FORM: Final = re.compile(
    rf"P:(?P<play>{_CARDS}+)"
    rf"|C:(?P<claim>{_CARDS}+)=(?P<named>[3-9TJQKA2*])"
    r"|B:(?P<slot>0|[1-9][0-9]*)"
    rf"|S:(?P<give>{_CARDS}*)/(?P<take>{_CARDS}*)"
    r"|(?P<bare>[UXD!.-])"
)
_LOWEST: Final = re.compile(r"P:([3-9TJQKA2*])x([1-8])")
_NO_SLOT: Final = 9
_USUAL: Final = 24
"""Texts up to this length are remembered: a few thousand of them are nearly all that is said."""


def parse(text: str) -> Said:
    """Read an action in the notation of records. Raises `malformed_action`."""
    return _remembered(text) if len(text) <= _USUAL else _parsed(text)


def _parsed(text: str) -> Said:
    form = _FORM.fullmatch(text)
    if form is None:
        raise IllegalAction(Code.MALFORMED_ACTION)
    match text[0]:
        case "P":
            return Said(Verb.PLAY, parse_cards(form["play"]))
        case "C":
            return Said(Verb.CLAIM, parse_cards(form["claim"]), rank=RANKS.index(form["named"]))
        case "B":
            return Said(Verb.BLIND, slot=int(form["slot"]) if len(form["slot"]) == 1 else _NO_SLOT)
        case "S":
            return Said(Verb.SWAP, parse_cards(form["give"]), parse_cards(form["take"]))
        case mark:
            return Said(Verb(mark))


_remembered: Final = lru_cache(maxsize=4096)(_parsed)


def parse_loose(text: str) -> Said:
    """As `parse`, and `P:9x1` as agents may write it: the lowest such cards."""
    short = _LOWEST.fullmatch(text)
    if short is None:
        return parse(text)
    return Said(Verb.PLAY, rank=RANKS.index(short[1]), number=int(short[2]))


def lay_text(cards: int) -> str:
    """A play, written."""
    return f"P:{cards_text(cards)}"


def claim_text(cards: int, rank: int) -> str:
    """A claim, written."""
    return f"C:{cards_text(cards)}={RANKS[rank]}"


def swap_text(given: int, taken: int) -> str:
    """A swap, written."""
    return f"S:{cards_text(given)}/{cards_text(taken)}"


def wide_swap(seat: int, given: int, taken: int) -> int:
    """The code of a swap that moves cards."""
    return taken << TAKEN | given | SWAP | seat


def by(seat: int, code: int) -> int:
    """The code of an answer given before it was the seat's turn to give it."""
    return code << 8 | BY | seat


def entry_text(seat: int, action: str) -> str:
    """An action as records write it: seat, one space, action."""
    return f"{seat} {action}"
