"""A holding: a set of cards and how many of each rank there are, as one int. Knows no rule.

The counts of `ranks_in` stand in the low bits, the cards above, so cards come and go by one
addition: hands, face-up rows and what lies on the pile are kept like this.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from games.engine.cards import JOKER, THREE, lowest, ranks_in

HOLD: Final = 60
"""Where in a holding the cards begin; below stand the counts."""
COUNTS: Final = (1 << HOLD) - 1
TAG: Final = 180
"""Where a holding ends; what stands above is no card."""
HOLDING: Final = (1 << TAG) - 1


def holding(mask: int) -> int:
    """A set of cards with its counts.

    >>> holding(0b11 << 8) == 0b11 << 8 + HOLD | 2 << 4
    True
    """
    return mask << HOLD | ranks_in(mask)


def counts(holdings: Iterable[int]) -> list[int]:
    """How many cards of each rank are in each, as `ranks_in` says."""
    return [held & COUNTS for held in holdings]


ONE: Final = tuple(1 << HOLD + card | 1 << 4 * (card >> 3) for card in range(120))
"""[card]: the holding of it alone."""
LOWEST: Final = tuple([[0] * 256 for _ in range(JOKER + 1)] for _ in range(3))
"""[count - 1][rank][its cards that are held]: the holding of the lowest of them, 0 where they are
too few; of two packs after `learn_two_packs`."""


def _learn(groups: Iterable[int]) -> None:
    for group in groups:
        for count in range(1, min(group.bit_count(), 3) + 1):
            cards = lowest(group, count) << HOLD
            for rank in range(THREE, JOKER + 1):
                LOWEST[count - 1][rank][group] = cards << 8 * rank | count << 4 * rank


_learn(group for group in range(256) if not group & 0b10101010)


@lru_cache(maxsize=1)
def learn_two_packs() -> None:
    """Fill `LOWEST` with what can be held of two packs; that is twenty times as much."""
    _learn(range(256))
