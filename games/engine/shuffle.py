"""The shuffle of rules.md section 2: the only chance in the game. Knows cards, nothing of rules."""

import hashlib
from collections.abc import Iterator
from itertools import count
from struct import Struct
from typing import Final

from games.engine.cards import ordered_pack, renumbered


def shuffled_deck(deal_seed: bytes, packs: int, jokers: int) -> tuple[int, ...]:
    """The pack of a round, card 0 first, from its 32 bytes of seed: Fisher-Yates over a SHA-256 key
    stream."""
    deck = list(ordered_pack(packs, jokers))
    words = _words(deal_seed)
    for i in range(len(deck) - 1, 0, -1):
        word, fair = next(words), _FAIR[i + 1]
        while word >= fair:
            word = next(words)
        j = word % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return renumbered(deck)


def _words(deal_seed: bytes) -> Iterator[int]:
    for counter in count():
        yield from _BLOCK.unpack(hashlib.sha256(deal_seed + counter.to_bytes(4, "big")).digest())


_BLOCK: Final = Struct(">8I")
_FAIR: Final = (0, *(2**32 - 2**32 % bound for bound in range(1, 109)))
"""[bound]: words from here on, the uneven end of the range, are skipped."""
