"""What a sheet tells: deals, one a line or one a seat; or chips, nights as columns.

Names stay as they are written: who they are is looked up by who knows the league.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from league.spreadsheets.cells import Cell, Fault, Line
from league.spreadsheets.days import AmbiguousDayError, Day, day_of
from league.spreadsheets.heads import TOTALS, Column, Head, head_of

MOST_CHIPS: Final = 99
_ABSENT: Final = frozenset("-–—")
_SEPARATORS: Final = ("/", ";", "+", "&", ",")


class Chips(NamedTuple):
    """So many chips for somebody on a night. `night` is a code for what its column says."""

    who: Cell
    cell: Cell
    night: str
    chips: int


class Deal(NamedTuple):
    """A deal: where it was, as far as is told, and groups from first to last; with `only_last` the
    one group of who was last, with `players` who else is said to have played."""

    at: Cell
    round: int | None
    day: Day | None
    table: int | None
    deal: int | None
    groups: tuple[tuple[Cell, ...], ...]
    only_last: bool
    players: tuple[Cell, ...] = ()


class Sheet(NamedTuple):
    """All that it tells, and what of it can't be taken. `entries`: who is told by entry number."""

    deals: tuple[Deal, ...]
    chips: tuple[Chips, ...]
    faults: tuple[Fault, ...]
    entries: bool = False


def told(lines: Sequence[Line]) -> Sheet:
    """Read a sheet. Raises `SheetError`."""
    head = head_of(lines)
    body = [line for line in lines if line.number > head.row and not _sums_up(line, head)]
    faults: list[Fault] = []
    deals: list[Deal] = []
    chips: list[Chips] = []
    if head.has(Column.PLACE) and head.has(Column.TABLE, Column.ROUND, Column.DAY):
        deals = list(_by_seat(head, body, faults))
    elif head.has(Column.LAST) or head.places:
        deals = list(_by_deal(head, body, faults))
    else:
        chips = list(_grid(head, body, faults))
    return Sheet(tuple(deals), tuple(chips), tuple(faults), head.has(Column.ENTRY))


def names(lines: Sequence[Line]) -> Iterator[Cell]:
    """A list of names: the column that a head calls so, or the first one."""
    column, begins = min(lines[0].cells), lines[0].number
    for cell in lines[0].cells.values():
        if cell.text.casefold() in ("name", "player", "players", "nimi", "pelaaja", "namn"):
            column, begins = cell.column, lines[0].number + 1
    for line in lines:
        if line.number >= begins and column in line.cells:
            yield line.cells[column]


def _sums_up(line: Line, head: Head) -> bool:
    """Whether a line is the total of those above."""
    first = line.cells[min(line.cells)]
    at = head.columns.get(Column.NAME)
    named = line.cells.get(at.column) if at is not None else None
    return any(cell is not None and cell.text.casefold() in TOTALS for cell in (first, named))


def _grid(head: Head, body: Sequence[Line], faults: list[Fault]) -> Iterator[Chips]:
    who = head.columns.get(Column.NAME) or head.columns[Column.ENTRY]
    nights: dict[int, str] = {}
    for cell in head.others:
        code = _night(cell, faults)
        if code in nights.values():
            faults.append(Fault(cell.at, "column_twice", f"Two columns are “{cell.text}”."))
        nights[cell.column] = code
    if not nights:
        faults.append(Fault(who.at, "no_nights", "No column tells chips of a night."))
    seen: dict[str, Cell] = {}
    for line in body:
        name = line.cells.get(who.column)
        if name is None:
            cell = line.cells[min(line.cells)]
            faults.append(Fault(cell.at, "no_name", "Nobody is named in this line."))
            continue
        if name.text in seen:
            why = f"“{name.text}” stands in {seen[name.text].at} already."
            faults.append(Fault(name.at, "name_twice", why))
            continue
        seen[name.text] = name
        for column, night in nights.items():
            told = line.cells.get(column)
            number = None if told is None else _chips(told, faults)
            if told is not None and number is not None:
                yield Chips(name, told, night, number)


def _night(cell: Cell, faults: list[Fault]) -> str:
    """The ledger holds no prose: the same heading is the same code."""
    try:
        day = day_of(cell)
    except AmbiguousDayError:
        day = None
    said = repr(tuple(day)) if day else " ".join(cell.text.casefold().split())
    if said.startswith("="):
        faults.append(Fault(cell.at, "formula", "A formula: put its value there."))
    return hashlib.sha256(said.encode()).hexdigest()[:12]


def _chips(cell: Cell, faults: list[Fault]) -> int | None:
    if cell.text in _ABSENT:
        return 0
    number = _whole(cell, faults, "A number of chips")
    if number is not None and number > MOST_CHIPS:
        faults.append(Fault(cell.at, "not_a_number", f"At most {MOST_CHIPS} chips a night."))
        return None
    return number


def _whole(cell: Cell, faults: list[Fault], what: str) -> int | None:
    text = cell.text
    if text.startswith("="):
        faults.append(Fault(cell.at, "formula", "A formula: put its value there."))
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 8):
        faults.append(Fault(cell.at, "not_a_number", f"{what} is a whole number from 0."))
        return None
    return int(text)


def _by_deal(head: Head, body: Sequence[Line], faults: list[Fault]) -> Iterator[Deal]:
    last = head.columns.get(Column.LAST)
    players = head.columns.get(Column.PLAYERS)
    for line in body:
        if last is not None:
            loser = line.cells.get(last.column)
            if loser is None:
                cell = line.cells[min(line.cells)]
                faults.append(Fault(cell.at, "no_name", "Nobody is said to have been last."))
                continue
            groups: tuple[tuple[Cell, ...], ...] = (_several(loser),)
        else:
            columns = [head.places[place].column for place in sorted(head.places)]
            groups = tuple(_several(line.cells[at]) for at in columns if at in line.cells)
            if not groups:
                cell = line.cells[min(line.cells)]
                faults.append(Fault(cell.at, "no_name", "Nobody is named in this line."))
                continue
        named = line.cells.get(players.column) if players is not None else None
        others = _several(named) if named is not None else ()
        yield from _deal(head, line, groups, last is not None, faults, others)


def _by_seat(head: Head, body: Sequence[Line], faults: list[Fault]) -> Iterator[Deal]:
    """A line a seat: lines of one round, table and deal are a deal."""
    name = head.columns.get(Column.ENTRY) or head.columns[Column.NAME]
    place_at = head.columns[Column.PLACE].column
    parents = (Column.ROUND, Column.DAY, Column.TABLE, Column.DEAL)
    found: dict[tuple[str, ...], list[tuple[int, Cell, Line]]] = {}
    for line in body:
        who, place = line.cells.get(name.column), line.cells.get(place_at)
        if who is None or place is None:
            cell = line.cells[min(line.cells)]
            faults.append(Fault(cell.at, "no_name", "A line has a place and who took it."))
            continue
        number = _whole(place, faults, "A place")
        cells = [line.cells.get(head.columns[one].column) for one in parents if head.has(one)]
        key = tuple(cell.text if cell else "" for cell in cells)
        if number is not None:
            found.setdefault(key, []).append((number, who, line))
    for rows in found.values():
        ranks = sorted({rank for rank, _, _ in rows})
        groups = tuple(tuple(who for at, who, _ in rows if at == rank) for rank in ranks)
        yield from _deal(head, rows[0][2], groups, False, faults)


def _deal(
    head: Head,
    line: Line,
    groups: tuple[tuple[Cell, ...], ...],
    only_last: bool,
    faults: list[Fault],
    players: tuple[Cell, ...] = (),
) -> Iterator[Deal]:
    known: dict[Column, int | None] = {}
    before = len(faults)
    for column in (Column.ROUND, Column.TABLE, Column.DEAL):
        at = head.columns.get(column)
        cell = line.cells.get(at.column) if at is not None else None
        known[column] = None if cell is None else _whole(cell, faults, f"A {column.value}")
    at = head.columns.get(Column.DAY)
    cell = line.cells.get(at.column) if at is not None else None
    day = None if cell is None else _day(cell, faults)
    if len(faults) > before:
        return
    first = cell or groups[0][0]
    if at is None and Column.ROUND in head.columns:
        first = line.cells.get(head.columns[Column.ROUND].column, first)
    where = known[Column.ROUND], day, known[Column.TABLE], known[Column.DEAL]
    yield Deal(first, *where, groups, only_last, players)


def _day(cell: Cell, faults: list[Fault]) -> Day | None:
    try:
        day = day_of(cell)
    except AmbiguousDayError:
        why = f"“{cell.text}” can be two days: write 2026-12-31 or 31.12.2026."
        faults.append(Fault(cell.at, "ambiguous_day", why))
        return None
    if day is None:
        faults.append(Fault(cell.at, "not_a_day", f"“{cell.text}” is no day."))
    return day


def _several(cell: Cell) -> tuple[Cell, ...]:
    """Names that stand in one cell, each as a cell of its own there."""
    text = cell.text
    if not isinstance(cell.value, str) or text.startswith("="):
        return (cell,)
    for separator in _SEPARATORS:
        if separator in text:
            parts = [part.strip() for part in text.split(separator)]
            return tuple(Cell(cell.row, cell.column, part) for part in parts if part)
    return (cell,)
