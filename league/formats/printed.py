"""Seatings on paper, drawn ahead for every attendance, so that a night runs without a network.

A round's lots depend on its seed and the number of each entry alone, so one list serves whoever
comes: strike out who is absent, and fill the tables in turn. Drawn later with the same seed and
the same people, without regard to who has met whom, `rounds.draw` gives the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from league.formats.field import Draw, Entrant, Field
from league.formats.lots import shuffled
from league.formats.rounds import draw, sizes
from league.formats.settings import Seating, Settings

FEWER, MORE = 4, 2
"""From so many fewer than have entered to so many more."""


@dataclass(frozen=True)
class Attendance:
    """So many come: the sizes of the tables, filled in turn from the list."""

    people: int
    sizes: tuple[int, ...]


@dataclass(frozen=True)
class Sheet:
    """A round on paper: everybody in the order that tables are filled from, and the lot that orders
    the seats of a table (the lowest sits first)."""

    order: tuple[int, ...]
    seat_lots: dict[int, int]
    attendances: tuple[Attendance, ...]


def sheet(numbers: Sequence[int], settings: Settings, seed: bytes) -> Sheet:
    """The sheet of a round for these entries and `MORE` who may come, with the next numbers."""
    guests = range(max(numbers, default=0) + 1, max(numbers, default=0) + 1 + MORE)
    everybody = [*numbers, *guests]
    by_seat = shuffled(seed, "seats", everybody)
    counts = range(max(len(numbers) - FEWER, 2), len(numbers) + MORE + 1)
    return Sheet(
        tuple(shuffled(seed, "tables", everybody)),
        {number: lot for lot, number in enumerate(by_seat, start=1)},
        tuple(Attendance(count, sizes(count, settings)) for count in counts),
    )


def seated(paper: Sheet, absent: Sequence[int], here: Sequence[int]) -> list[tuple[int, ...]]:
    """The tables that somebody with the sheet and a pencil makes of who is there.

    >>> from league.formats.settings import Settings
    >>> paper = sheet(range(1, 8), Settings(), b"seed")
    >>> sorted(map(len, seated(paper, [3], range(1, 8))))
    [3, 3]
    """
    there = [n for n in paper.order if n in here and n not in absent]
    (wanted,) = (one.sizes for one in paper.attendances if one.people == len(there))
    tables, at = [], 0
    for size in wanted:
        group = there[at : at + size]
        tables.append(tuple(sorted(group, key=paper.seat_lots.__getitem__)))
        at += size
    return tables


def as_printed(field: Field, settings: Settings, seed: bytes) -> Draw:
    """The draw that the sheet of the same seed shows for who is there."""
    lots = Field(tuple(Entrant(number, number) for number in field.numbers))
    return draw(lots, replace(settings, seating=Seating.RANDOM), seed)
