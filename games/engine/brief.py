"""Logs as records keep them: a lay of any cards of one rank is two bytes.

The compact codec writes such a lay, where it is not of the lowest cards, as a mask of up to sixteen
bytes: in one game of `lowest` 27 of them, half of its log. Here a byte that is no code tells the
rank, the next one which of its cards. What has no such lay is the same in both.
"""

import re
from functools import cache
from typing import Final

from games.engine.codec import encode

# Bytes that the codec never begins an action with, for ranks from 1 on.
_MARKS: Final = bytes((*range(8), *range(132, 136), *range(248, 255)))
_RANKS: Final = range(1, 15)
_WIDE: Final = rb"\xff[\x80-\xff]*[\x00-\x7f]"
_LONG: Final = re.compile(_WIDE, re.DOTALL)
_SHORT: Final = re.compile(_WIDE + rb"|[" + re.escape(_MARKS) + rb"].", re.DOTALL)


def shortened(log: bytes) -> bytes:
    """A log of the codec, its lays of one rank in two bytes.

    >>> shortened(encode(0x3000) + encode(125)).hex()
    '00307d'
    """
    known = _short_of_long()
    return _LONG.sub(lambda wide: known.get(wide[0], wide[0]), log)


def lengthened(log: bytes) -> bytes:
    """The log that was `shortened`; one that was not is the same.

    >>> lengthened(bytes.fromhex("00307d")) == encode(0x3000) + encode(125)
    True
    """
    known = _long_of_short()
    return _SHORT.sub(lambda found: known.get(found[0], found[0]), log)


@cache
def _short_of_long() -> dict[bytes, bytes]:
    pairs = ((rank, cards) for rank in _RANKS for cards in range(1, 256))
    return {encode(cards << 8 * rank): bytes((_MARKS[rank - 1], cards)) for rank, cards in pairs}


@cache
def _long_of_short() -> dict[bytes, bytes]:
    return {short: long for long, short in _short_of_long().items()}
