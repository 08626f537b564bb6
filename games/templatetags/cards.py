"""Cards in templates: a picture out of the sprite, a name for the ear; short names in sentences."""

from __future__ import annotations

from typing import Final

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

SUITS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
SUIT_NAMES: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
RANKS: Final = {"T": "10"}
RANK_NAMES: Final = {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
SPRITE: Final = "games/cards.svg"


@register.filter
def card(code: str | None) -> SafeString:
    """A card, or the back of one for None."""
    if code is None:
        return _picture("back", "back", "face down")
    if code.startswith("*"):
        return _picture("joker", "joker", "joker")
    rank, suit = code[0], code[1]
    return _picture(code, suit, f"{RANK_NAMES.get(rank, rank)} of {SUIT_NAMES[suit]}")


@register.filter
def short(code: str) -> str:
    """A card inside a sentence: 7♣."""
    if code.startswith("*"):
        return "joker"
    return RANKS.get(code[0], code[0]) + SUITS[code[1]]


def _picture(symbol: str, kind: str, name: str) -> SafeString:
    return format_html(
        '<svg class="card {}" role="img" aria-label="{}" viewBox="0 0 60 84">'
        '<use href="{}#{}"></use></svg>',
        kind,
        name,
        static(SPRITE),
        symbol,
    )
