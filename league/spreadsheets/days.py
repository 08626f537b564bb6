"""Days as people write them in sheets."""

from __future__ import annotations

import re
from datetime import date
from typing import Final, NamedTuple

from league.spreadsheets.cells import Cell

_ISO: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ][\d:.]+)?")
_NORDIC: Final = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})?")
_SLASHES: Final = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})")


class Day(NamedTuple):
    """A day; without a year it is the one of the league's that fits."""

    month: int
    day: int
    year: int | None = None

    def fits(self, other: date) -> bool:
        """Whether that is the day."""
        same = (self.month, self.day) == (other.month, other.day)
        return same and self.year in (None, other.year)


class AmbiguousDayError(ValueError):
    """3/4/2026: the third of April or the fourth of March."""


def day_of(cell: Cell) -> Day | None:
    """The day a cell names, None if it is none. Raises `AmbiguousDayError`.

    >>> day_of(Cell(1, 1, "7.9.2026")), day_of(Cell(1, 1, "2026-09-07")), day_of(Cell(1, 1, "7.9."))
    (Day(month=9, day=7, year=2026), Day(month=9, day=7, year=2026), Day(month=9, day=7, year=None))
    """
    if isinstance(cell.value, date):
        return Day(cell.value.month, cell.value.day, cell.value.year)
    text = cell.text
    if found := _ISO.fullmatch(text):
        return _day(*(int(part) for part in found.groups()))
    if found := _NORDIC.fullmatch(text):
        day, month, year = found.groups()
        return _day(_year(year), int(month), int(day))
    if found := _SLASHES.fullmatch(text):
        one, two, year = found.groups()
        both = _day(_year(year), int(one), int(two)), _day(_year(year), int(two), int(one))
        if both[0] and both[1] and both[0] != both[1]:
            raise AmbiguousDayError(text)
        return both[0] or both[1]
    return None


def _year(text: str | None) -> int | None:
    if not text:
        return None
    return int(text) + 2000 if len(text) == 2 else int(text)


def _day(year: int | None, month: int, day: int) -> Day | None:
    try:
        date(year or 2024, month, day)
    except ValueError:
        return None
    return Day(month, day, year)
