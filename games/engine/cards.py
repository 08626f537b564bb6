"""Cards as ints, sets of cards as bit masks (rules.md section 1). Knows no rule.

A card is `8 * rank + 2 * suit + copy`, so counting upwards is canonical order: strength, then suit,
jokers last by number. `copy` tells the equal cards of two packs apart; it never shows in text.
Ranks are 1 (the 3) to 13 (the 2), then 14 (the joker): the low byte of a mask holds no card.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

RANKS: Final = "?3456789TJQKA2*"
SUITS: Final = "CDHS"

THREE, SEVEN, NINE, TEN, JACK, KING, ACE, TWO, JOKER = 1, 5, 7, 8, 9, 11, 12, 13, 14
ALL_RANKS: Final = frozenset(range(THREE, JOKER + 1))
LOW: Final = frozenset(range(THREE, NINE + 1))
COURTS: Final = frozenset(range(JACK, KING + 1))
SPECIALS: Final = frozenset((TEN, ACE, TWO))

BIT: Final = tuple(1 << card for card in range(120))
RANK_MASK: Final = (0, *(0xFF << 8 * rank for rank in range(THREE, JOKER + 1)))
CARDS: Final = sum(RANK_MASK)
FIRST_COPIES: Final = sum(BIT[card] for card in range(8, 120, 2))

_TEXT: Final = tuple(
    RANKS[card >> 3] + ("1234" if card >> 3 == JOKER else SUITS)[card >> 1 & 3]
    for card in range(120)
)
_CARD: Final = {_TEXT[card]: card for card in range(8, 120, 2)}
_COUNTS: Final = bytes(byte.bit_count() for byte in range(256))
_DIGITS: Final = bytes(ord("0") + count for count in _COUNTS)


def card_text(card: int) -> str:
    """Write a card.

    >>> card_text(8 * SEVEN)
    '7C'
    """
    return _TEXT[card]


def parse_card(text: str) -> int:
    """Read a card; raises `KeyError` for anything else. Always the first copy."""
    return _CARD[text]


def parse_cards(text: str) -> tuple[int, ...]:
    """Read cards written without a gap, in the order written."""
    return tuple(_CARD[text[i : i + 2]] for i in range(0, len(text), 2))


def rank_of(mask: int) -> int:
    """The strongest rank in a set of cards (the only one, of a set that was laid)."""
    return mask.bit_length() - 1 >> 3


def cards_in(mask: int) -> Iterator[int]:
    """The cards of a set in canonical order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def texts(mask: int) -> list[str]:
    """A set of cards in canonical order, written."""
    return list(_texts(mask))


@lru_cache(maxsize=4096)
def _texts(mask: int) -> tuple[str, ...]:
    """Hands, rows and lays are written for several viewers, and hardly change between turns."""
    return tuple([_TEXT[card] for card in cards_in(mask)])


def cards_text(mask: int) -> str:
    """A set of cards as an action names it.

    >>> cards_text(mask_of(parse_cards("7D7C")))
    '7C7D'
    """
    return "".join(_texts(mask))


def mask_of(cards: Iterable[int]) -> int:
    """The set of these cards; equal cards must be different copies."""
    mask = 0
    for card in cards:
        mask |= BIT[card]
    return mask


def take(cards: Iterable[int], zone: int) -> int | None:
    """Find cards, named by first copies, in a zone: the set taken, None when one is not there."""
    taken = 0
    for card in cards:
        bit = BIT[card]
        if not bit & zone & ~taken:
            bit <<= 1
            if not bit & zone & ~taken:
                return None
        taken |= bit
    return taken


def lowest(mask: int, count: int) -> int:
    """The `count` lowest cards of a set that has at least as many."""
    rest = mask
    for _ in range(count):
        rest &= rest - 1
    return mask ^ rest


def anonymous(mask: int) -> int:
    """The same cards with copies numbered afresh, so that nothing tells which pack one is from."""
    both = mask & mask >> 1 & FIRST_COPIES
    return (mask | mask >> 1) & FIRST_COPIES | both << 1


def rank_counts(mask: int, sets: int = 1) -> bytes:
    """How many cards of each rank a set holds: 15 bytes, indexed by rank; of several sets, each 120
    bits above the one before, 15 bytes each."""
    return mask.to_bytes(15 * sets, "little").translate(_COUNTS)


def ranks_in(mask: int) -> int:
    """How many cards of each rank a set holds, as one number: four bits a rank, indexed by rank.

    >>> hex(ranks_in(mask_of(parse_cards("3C3D4C"))))
    '0x120'
    """
    return int(mask.to_bytes(15).translate(_DIGITS), 16)


def ordered_pack(packs: int, jokers: int) -> tuple[int, ...]:
    """The pack before the shuffle: suits C D H S, in each 2 3 .. K A, then the jokers."""
    ranks = (TWO, *range(THREE, TWO))
    suited = [
        8 * rank + 2 * suit + copy for copy in range(packs) for suit in range(4) for rank in ranks
    ]
    return (*suited, *(8 * JOKER + 2 * number for number in range(jokers)))


def renumbered(cards: Iterable[int]) -> tuple[int, ...]:
    """The same order of cards, copies numbered by appearance: equal decks are equal tuples."""
    seen: set[int] = set()
    fresh: list[int] = []
    for card in cards:
        first = card & ~1
        fresh.append(first | (first in seen))
        seen.add(first)
    return tuple(fresh)
