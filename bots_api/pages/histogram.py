"""The times of a bot's answers as bars: where each stands and how high, ready for an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from bots_api import pace

WIDTH, HEIGHT, GAP = 640, 160, 4
_TEXT: Final = 28


class Bar(NamedTuple):
    """One bucket: its times as text, and its rectangle."""

    times: str
    answers: int
    x: int
    y: int
    width: int
    height: int

    @property
    def middle(self) -> int:
        """Where its text stands."""
        return self.x + self.width // 2


class Chart(NamedTuple):
    """All buckets from the first to the last that hold something."""

    bars: list[Bar]
    answers: int
    width: int = WIDTH
    height: int = HEIGHT
    base: int = HEIGHT - _TEXT


def chart(counts: Sequence[int]) -> Chart | None:
    """The chart of a histogram; None if nothing was answered.

    >>> found = chart(pace.counted([12, 12, 40]))
    >>> [(bar.times, bar.answers, bar.height) for bar in found.bars]
    [('10-15 ms', 2, 132), ('15-20 ms', 0, 0), ('20-30 ms', 0, 0), ('30-50 ms', 1, 66)]
    """
    filled = [index for index, count in enumerate(counts) if count]
    if not filled:
        return None
    shown = range(filled[0], filled[-1] + 1)
    step = (WIDTH - GAP) // max(4, len(shown))
    most = max(counts)
    bars = [
        _bar(index, counts[index], most, GAP + at * step, step) for at, index in enumerate(shown)
    ]
    return Chart(bars, sum(counts))


def _bar(index: int, answers: int, most: int, x: int, step: int) -> Bar:
    base = HEIGHT - _TEXT
    height = round(base * answers / most)
    return Bar(_times(index), answers, x, base - height, step - GAP, height)


def _times(index: int) -> str:
    low, high = pace.bounds(index)
    return f"over {low} ms" if low == high else f"{low}-{high} ms"
