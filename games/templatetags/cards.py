"""Cards in templates: rank and suit as text, colour by class, a name for the ear."""

from __future__ import annotations

from typing import Final

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

SUITS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
SUIT_NAMES: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
RANKS: Final = {"T": "10"}
RANK_NAMES: Final = {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
BACK: Final = mark_safe('<span class="card back" role="img" aria-label="face down">?</span>')
JOKER: Final = mark_safe('<span class="card joker" role="img" aria-label="joker">★</span>')


@register.filter
def card(code: str | None) -> SafeString:
    """A card, or the back of one for None."""
    if code is None:
        return BACK
    if code.startswith("*"):
        return JOKER
    rank, suit = code[0], code[1]
    return format_html(
        '<span class="card {}" role="img" aria-label="{} of {}">{}<br>{}</span>',
        suit,
        RANK_NAMES.get(rank, rank),
        SUIT_NAMES[suit],
        RANKS.get(rank, rank),
        SUITS[suit],
    )


@register.filter
def short(code: str) -> str:
    """A card inside a sentence: 7♣."""
    if code.startswith("*"):
        return "joker"
    return RANKS.get(code[0], code[0]) + SUITS[code[1]]
