"""Cards, their order and the shuffle (rules, sections 1 and 2)."""

import hashlib
from collections.abc import Iterable, Sequence

RANKS = "3456789TJQKA2"
SUITS = "CDHS"
COURTS = "JQK"
SPECIALS = "2TA"
JOKER = "*"


def rank(card: str) -> str:
    return card[0]


def strength(of_rank: str) -> int:
    """Place in the order 3 < 4 < ... < K < A < 2 (section 1)."""
    return RANKS.index(of_rank)


def in_order(cards: Iterable[str]) -> list[str]:
    """Canonical order: strength, then suit, jokers last by number (section 4)."""

    def place(card: str) -> tuple[int, int]:
        if rank(card) == JOKER:
            return len(RANKS), int(card[1])
        return strength(rank(card)), SUITS.index(card[1])

    return sorted(cards, key=place)


def contains(held: Sequence[str], named: Sequence[str]) -> bool:
    """Whether every named card is there as often as it is named."""
    return all(list(held).count(card) >= list(named).count(card) for card in named)


def remove(held: list[str], cards: Iterable[str]) -> None:
    for card in cards:
        held.remove(card)


def whole_pack(packs: int, jokers: int) -> list[str]:
    """The ordered pack before the shuffle (section 2)."""
    cards = []
    for _ in range(packs):
        for suit in SUITS:
            for of_rank in "23456789TJQKA":
                cards.append(of_rank + suit)
    for number in range(1, jokers + 1):
        cards.append(f"*{number}")
    return cards


def shuffled(seed: bytes, packs: int, jokers: int) -> list[str]:
    """Fisher-Yates fed by SHA-256(seed, counter) (section 2, Shuffle)."""
    cards = whole_pack(packs, jokers)
    words: list[int] = []
    counter = 0
    for i in range(len(cards) - 1, 0, -1):
        limit = 2**32 - (2**32 % (i + 1))
        while True:
            if not words:
                block = hashlib.sha256(seed + counter.to_bytes(4, "big")).digest()
                words = [int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4)]
                counter += 1
            word = words.pop(0)
            if word < limit:
                break
        j = word % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards
