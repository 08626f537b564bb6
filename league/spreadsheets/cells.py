"""Cells of a sheet, and what is wrong with one: every fault names its cell as people do, "B7"."""

from __future__ import annotations

from datetime import date
from typing import Final, NamedTuple

MOST_ROWS: Final = 5_000
MOST_COLUMNS: Final = 100
LONGEST_CELL: Final = 200

Value = str | int | date | None


class Cell(NamedTuple):
    """A cell that is not empty; `row` and `column` count from 1. A formula is its text."""

    row: int
    column: int
    value: str | int | date

    @property
    def at(self) -> str:
        """Its address.

        >>> Cell(7, 28, "x").at
        'AB7'
        """
        return f"{letters(self.column)}{self.row}"

    @property
    def text(self) -> str:
        """What it says, without the apostrophe by which exports keep a cell from being carried out.

        >>> Cell(1, 1, "'=1+1").text
        '=1+1'
        """
        if isinstance(self.value, date):
            return self.value.isoformat()
        said = str(self.value).strip()
        hot = len(said) > 1 and said[0] == "'" and said[1] in "=+-@"
        return said[1:] if hot else said


class Line(NamedTuple):
    """A row that has a cell at least."""

    number: int
    cells: dict[int, Cell]


class Fault(NamedTuple):
    """What can't be taken: a cell, a code, and why in a sentence."""

    cell: str
    code: str
    why: str


class SheetError(Exception):
    """A file of which nothing can be read."""

    def __init__(self, code: str, why: str, cell: str = "") -> None:
        super().__init__(why)
        self.fault = Fault(cell, code, why)


def letters(column: int) -> str:
    """A column's letters.

    >>> letters(1), letters(26), letters(27)
    ('A', 'Z', 'AA')
    """
    found = ""
    while column:
        column, rest = divmod(column - 1, 26)
        found = chr(65 + rest) + found
    return found
