"""How a league went, drawn: chips after each round as a line for each player, and a map of who is
last against whom. Both have their numbers in a table, and need neither script nor inline style.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString

from league.formats.against import Against, against
from league.formats.folding import Fold
from league.formats.tallying import Sums

ROUNDS_DRAWN: Final = 24
HEADS: Final = 24
SHADES: Final = 5
WIDTH, HEIGHT, EDGE = 96, 24, 3


@dataclass(frozen=True)
class Course:
    """The newest rounds, and by entry its chips after each of them."""

    rounds: tuple[int, ...]
    chips: dict[int, tuple[int, ...]]
    most: int
    """The most chips that anybody has had."""

    def line(self, number: int, name: str) -> SafeString:
        """The drawing of one entry; "" before the second round."""
        chips = self.chips.get(number, ())
        if len(chips) < 2:
            return SafeString("")
        told = ", ".join(map(str, chips))
        return format_html(
            '<svg class="spark" viewBox="0 0 {} {}" role="img"><title>Chips of {} round by round'
            '</title><desc>{}</desc><polyline points="{}"/></svg>',
            WIDTH,
            HEIGHT,
            name,
            told,
            " ".join(_points(chips, self.most)),
        )


@dataclass(frozen=True)
class Cell:
    """How often one was last of the deals with another, and how dark that is, from 0."""

    last: int
    together: int
    shade: int


@dataclass(frozen=True)
class HeatMap:
    """Rows of who was last, columns of against whom; `left_out`: how many more there are."""

    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell | None, ...]], ...]
    left_out: int


def course(fold: Fold, numbers: Sequence[int]) -> Course:
    """The chips of these entries after each round."""
    rounds = list(fold.history())[-ROUNDS_DRAWN:]
    chips = {n: tuple(sums.get(n, Sums()).chips for _, sums in rounds) for n in numbers}
    most = max([1, *(number for row in chips.values() for number in row)])
    return Course(tuple(number for number, _ in rounds), chips, most)


def heat_map(fold: Fold, known: Sequence[tuple[int, str]]) -> HeatMap | None:
    """Of these entries, in their order; None while no two have met."""
    found = against(deal for table in fold.tables.values() for deal in table.deals.values())
    shown = known[:HEADS]
    if not found.together or len(shown) < 2:
        return None
    rows = tuple((name, tuple(_cell(found, one, n) for n, _ in shown)) for one, name in shown)
    return HeatMap(tuple(name for _, name in shown), rows, len(known) - len(shown))


def _cell(found: Against, one: int, other: int) -> Cell | None:
    together = found.together[one, other]
    if not together:
        return None
    last = found.last[one, other]
    # Half of all deals against one is as dark as it gets: at a table of four a quarter is usual.
    return Cell(last, together, min(SHADES, -(-2 * SHADES * last // together)))


def _points(chips: Sequence[int], most: int) -> list[str]:
    wide = (WIDTH - 2 * EDGE) / (len(chips) - 1)
    high = (HEIGHT - 2 * EDGE) / most
    return [f"{EDGE + at * wide:.1f},{HEIGHT - EDGE - n * high:.1f}" for at, n in enumerate(chips)]
