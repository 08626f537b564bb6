"""Which line is the head of a sheet, and what its columns are: words of four languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, NamedTuple

from league.spreadsheets.cells import Cell, Line, SheetError
from league.spreadsheets.days import AmbiguousDayError, day_of


class Column(Enum):
    """What a column says."""

    NAME = "name"
    ENTRY = "entry"
    ROUND = "round"
    DAY = "day"
    TABLE = "table"
    DEAL = "deal"
    PLACE = "place"
    LAST = "last"
    PLAYERS = "players"
    TOTAL = "total"
    NOTHING = "nothing"


_WORDS: Final[Mapping[Column, str]] = {
    Column.NAME: "name player nimi pelaaja namn spelare nombre jugador",
    Column.ENTRY: "entry no. nr. nro numero number #",
    Column.ROUND: "round kierros omgång runda ronda",
    Column.DAY: "date day päivä pvm päivämäärä datum dag fecha",
    Column.TABLE: "table pöytä bord mesa",
    Column.DEAL: "deal game jako peli giv spel reparto",
    Column.PLACE: "place sija sijoitus plats placering puesto",
    Column.LAST: "last loser paskahousu häviäjä viimeinen sist förlorare perdedor",
    Column.PLAYERS: "players pelaajat spelarna jugadores",
    Column.TOTAL: "total sum yhteensä yht yht. summa totalt suma",
    Column.NOTHING: "note notes huom kommentti kommentar rank losses deals state kind seed version",
}
_COLUMN: Final = {word: column for column, words in _WORDS.items() for word in words.split()}
TOTALS: Final = frozenset(_WORDS[Column.TOTAL].split())
_SEARCHED: Final = 12


class Head(NamedTuple):
    """The head: where it is, its known columns, those of places (1st, 2nd …), all others."""

    row: int
    columns: Mapping[Column, Cell]
    places: Mapping[int, Cell]
    others: Sequence[Cell]
    above: Mapping[int, Cell]

    def has(self, *wanted: Column) -> bool:
        """Whether it has one of them."""
        return any(column in self.columns for column in wanted)


def head_of(lines: Sequence[Line]) -> Head:
    """The head among the first lines: the first that names players or losers, or columns of places.

    Raises `SheetError`.
    """
    above: dict[int, Cell] = {}
    for line in lines[:_SEARCHED]:
        head = _read(line, above)
        if head.has(Column.NAME, Column.ENTRY, Column.LAST) or len(head.places) > 1:
            _refuse_joined(head, above)
            return head
        # A title stands alone; more than that is the upper line of a head of two.
        above = line.cells if len(line.cells) > 1 else {}
    raise SheetError(
        "no_head",
        "No line says what the columns are: name, round, table, deal, last ...",
        next(iter(lines[0].cells.values())).at,
    )


def _read(line: Line, above: Mapping[int, Cell]) -> Head:
    columns: dict[Column, Cell] = {}
    places: dict[int, Cell] = {}
    others: list[Cell] = []
    for cell in line.cells.values():
        column, place = _COLUMN.get(cell.text.casefold()), _place(cell)
        if column in columns and column is not Column.NOTHING:
            raise SheetError("column_twice", f"Two columns are “{cell.text}”.", cell.at)
        if column is not None:
            columns[column] = cell
        elif place is not None:
            places[place] = cell
        else:
            others.append(cell)
    if Column.LAST not in columns and not (places and Column.NAME not in columns):
        # Beside names, columns 1, 2, 3 are nights.
        others, places = sorted([*others, *places.values()], key=lambda c: c.column), {}
    return Head(line.number, columns, places, tuple(others), above)


def _place(cell: Cell) -> int | None:
    text = cell.text.casefold()
    for end in ("st", "nd", "rd", "th", ".", ":a", ":e"):
        text = text.removesuffix(end)
    return int(text) if text.isascii() and text.isdecimal() and 1 <= int(text[:4]) <= 10 else None


def _refuse_joined(head: Head, above: Mapping[int, Cell]) -> None:
    """A night over two columns, by merged cells: which of them counts nobody can know."""
    under = sorted(cell.column for cell in head.others)
    for cell in above.values():
        try:
            night = day_of(cell) is not None
        except AmbiguousDayError:
            night = True
        upper = sorted(one.column for one in above.values())
        after = [column for column in upper if column > cell.column]
        covered = [c for c in under if cell.column <= c < (after[0] if after else 10**6)]
        if len(covered) > 1 and (night or len(upper) > 1):
            why = "One heading stands over several columns: give each column its own."
            raise SheetError("joined_head", why, cell.at)
