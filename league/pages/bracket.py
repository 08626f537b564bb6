"""Where everything of a bracket stands in its drawing. Pure geometry over the bracket's wire.

Units are those of the SVG's view box. Rounds not drawn yet are boxes with empty rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from league.queries.wires import RoundWire, SeatWire, TableWire

ROW = 26
HEAD = 24
WIDTH = 210
GAP_X = (64, 150)  # least and most
GAP_Y = 22
MARGIN = 8
TITLE = 30
PAGE = 1110
# Wider fields are better read as lists.
MOST_TABLES = 32


@dataclass(frozen=True)
class Row:
    """A seat: its text and middle height; `state` is a CSS class."""

    y: float
    name: str
    note: str
    state: str
    entry: int | None
    rule: bool = True


@dataclass(frozen=True)
class Box:
    """A table."""

    x: float
    y: float
    height: float
    title: str
    note: str
    state: str
    rows: tuple[Row, ...]

    @property
    def right(self) -> float:
        """The x of the right edge."""
        return self.x + WIDTH


@dataclass(frozen=True)
class Link:
    """The way of an entry from one round to the next, as the path of a curve."""

    path: str
    state: str


@dataclass(frozen=True)
class Column:
    """A round's title."""

    x: float
    title: str


@dataclass(frozen=True)
class Drawing:
    """All of it."""

    width: float
    height: float
    columns: tuple[Column, ...]
    boxes: tuple[Box, ...]
    links: tuple[Link, ...]


def fits(planned: Sequence[Sequence[int]]) -> bool:
    """Whether no round would be too big to be drawn, so that it is worth reading all of them."""
    return all(len(each) <= MOST_TABLES for each in planned)


def drawing(
    rounds: Sequence[RoundWire], planned: Sequence[Sequence[int]], winner: str | None
) -> Drawing | None:
    """Lay a bracket out, the winner last; None if it has a round too big to be drawn."""
    sizes = [[len(table["seats"]) for table in drawn["tables"]] for drawn in rounds]
    sizes += [list(each) for each in planned[len(rounds) :]]
    if not sizes or max(map(len, sizes)) > MOST_TABLES:
        return None
    height = max(sum(map(_box_height, each)) + GAP_Y * (len(each) - 1) for each in sizes)
    lefts = _lefts(len(sizes) + 1)
    columns: list[list[Box]] = []
    for number, each in enumerate(sizes):
        tables = rounds[number]["tables"] if number < len(rounds) else []
        before = columns[-1] if columns else []
        columns.append(_column(lefts[number], each, tables, before, height))
    columns.append([_winner(lefts[-1], height, columns[-1], winner)])
    titles = [_title(number, len(sizes)) for number in range(len(sizes) + 1)]
    return Drawing(
        width=lefts[-1] + WIDTH + MARGIN,
        height=height + TITLE + 2 * MARGIN,
        columns=tuple(map(Column, lefts, titles)),
        boxes=tuple(box for column in columns for box in column),
        links=tuple(link for left, right in pairwise(columns) for link in _links(left, right)),
    )


def _lefts(columns: int) -> list[float]:
    least, most = GAP_X
    spare = (PAGE - 2 * MARGIN - columns * WIDTH) / max(1, columns - 1)
    gap = min(max(spare, least), most)
    return [MARGIN + number * (WIDTH + gap) for number in range(columns)]


def _column(
    x: float,
    sizes: Sequence[int],
    tables: Sequence[TableWire],
    before: Sequence[Box],
    height: float,
) -> list[Box]:
    order = list(range(len(sizes)))
    if tables and before:
        # Boxes in the order of where their entries come from: fewer curves cross.
        order.sort(key=lambda index: _origin(tables[index], before))
    used = sum(_box_height(size) for size in sizes)
    gap = (height - used) / len(sizes)
    boxes, y = [], TITLE + MARGIN + gap / 2
    for index in order:
        table = tables[index] if tables else None
        boxes.append(_box(x, y, sizes[index], table))
        y += _box_height(sizes[index]) + gap
    return boxes


def _winner(x: float, height: float, final: Sequence[Box], name: str | None) -> Box:
    y = TITLE + MARGIN + (height - ROW - 8) / 2
    first = next((row for box in final for row in box.rows if row.state == "through"), None)
    won = name is not None and first is not None
    row = Row(
        y=y + (ROW + 8) / 2,
        name=_short(name or ""),
        note="★" if won else "",
        state="winner" if won else "open",
        entry=first.entry if won and first else None,
        rule=False,
    )
    return Box(x, y, ROW + 8, "", "", "done" if won else "open", (row,))


def _origin(table: TableWire, before: Sequence[Box]) -> float:
    entries = {seat["entry"] for seat in table["seats"]}
    found = [row.y for box in before for row in box.rows if row.entry in entries]
    return sum(found) / len(found) if found else 0


def _box(x: float, y: float, size: int, table: TableWire | None) -> Box:
    middle = [y + HEAD + ROW * (index + 0.5) for index in range(size)]
    if table is None:
        rows = tuple(Row(at, "", "", "open", None) for at in middle)
        return Box(x, y, _box_height(size), "", "", "open", rows)
    rows = tuple(_row(at, seat, size) for at, seat in zip(middle, table["seats"], strict=True))
    title = "Bye" if size == 1 else f"Table {table['number']}"
    note = "" if size == 1 else f"{table['deals_done']}/{table['deals_planned']} deals"
    state = "stuck" if table["quarantined"] else table["state"]
    return Box(x, y, _box_height(size), title, note, state, rows)


def _row(y: float, seat: SeatWire, size: int) -> Row:
    place = seat["place"]
    if place is None:
        return Row(y, _short(seat["player"]["name"]), "", "in", seat["entry"])
    state = "through" if seat["through"] else "last" if place == size else "out"
    note = "✓" if size == 1 else f"{place}."
    return Row(y, _short(seat["player"]["name"]), note, state, seat["entry"])


def _links(left: Sequence[Box], right: Sequence[Box]) -> list[Link]:
    ends = {row.entry: (box, row) for box in right for row in box.rows if row.entry is not None}
    links = []
    for box in left:
        for row in box.rows:
            if row.entry in ends and row.state == "through":
                end, other = ends[row.entry]
                links.append(Link(_curve(box.right, row.y, end.x, other.y), other.state))
    return links


def _curve(x1: float, y1: float, x2: float, y2: float) -> str:
    middle = (x1 + x2) / 2
    return f"M{x1:g} {y1:g}C{middle:g} {y1:g} {middle:g} {y2:g} {x2:g} {y2:g}"


def _box_height(size: int) -> float:
    return HEAD + ROW * size


def _title(number: int, rounds: int) -> str:
    if number == rounds:
        return "Winner"
    return "Final" if number == rounds - 1 else f"Round {number + 1}"


def _short(name: str) -> str:
    return name if len(name) <= 20 else f"{name[:19]}…"
