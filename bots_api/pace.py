"""Times of answers as a histogram: few numbers that can be added up, and read back nearly exactly.

Pure. A bucket holds the answers that took less than its edge and not less than the one before.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Final

EDGES_MS: Final = (
    *(1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700),
    *(1000, 1500, 2000, 3000, 5000, 7000, 10_000, 15_000, 20_000, 30_000, 60_000),
)
BUCKETS: Final = len(EDGES_MS) + 1


def nothing() -> list[int]:
    """No answer yet."""
    return [0] * BUCKETS


def counted(times_ms: Iterable[float]) -> list[int]:
    """The histogram of these times.

    >>> counted([0, 12, 12])[:7]
    [1, 0, 0, 0, 0, 0, 2]
    """
    counts = nothing()
    for ms in times_ms:
        counts[bisect_right(EDGES_MS, ms)] += 1
    return counts


def added(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """Both together."""
    return [a + b for a, b in zip(one, other, strict=True)]


def percentile(counts: Sequence[int], share: float) -> float | None:
    """The time within which this share of the answers came; None if there are none.

    Within a bucket answers are taken to be spread evenly.

    >>> percentile(counted([12] * 9 + [400]), 0.5), percentile(counted([]), 0.5)
    (12.8, None)
    """
    wanted, before = share * sum(counts), 0
    for index, count in enumerate(counts):
        if count and before + count >= wanted:
            low, high = bounds(index)
            return round(low + (high - low) * (wanted - before) / count, 1)
        before += count
    return None


def bounds(index: int) -> tuple[int, int]:
    """From when to when the answers of a bucket took; the last has no end but its beginning."""
    low = EDGES_MS[index - 1] if index else 0
    return low, EDGES_MS[min(index, len(EDGES_MS) - 1)]
