"""The shuffle of rules.md section 2: the only chance in the game. Knows cards, nothing of rules."""

import hashlib
from collections.abc import Iterator
from itertools import count

from games.engine.cards import ordered_pack, renumbered


def shuffled_deck(deal_seed: bytes, packs: int, jokers: int) -> tuple[int, ...]:
    """The pack of a round, card 0 first, from its 32 bytes of seed: Fisher-Yates over a SHA-256 key
    stream."""
    deck = list(ordered_pack(packs, jokers))
    words = _words(deal_seed)
    for i in range(len(deck) - 1, 0, -1):
        j = _below(i + 1, words)
        deck[i], deck[j] = deck[j], deck[i]
    return renumbered(deck)


def _words(deal_seed: bytes) -> Iterator[int]:
    for counter in count():
        block = hashlib.sha256(deal_seed + counter.to_bytes(4, "big")).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(block[at : at + 4], "big")


def _below(bound: int, words: Iterator[int]) -> int:
    """A fair number below `bound`: words from the uneven end of the range are skipped."""
    fair = 2**32 - 2**32 % bound
    return next(word for word in words if word < fair) % bound
