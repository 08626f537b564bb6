"""Knockout at tables of 2 to 6: sizes, draws round by round, and everybody's place at the end.

Source: competitions.md, "Formats". Refuses to know how a table is played (`formats.deals`) or
where anything is stored.
"""

from collections import Counter
from collections.abc import Sequence

from league.formats.field import Draw, Field, Outcome, TableDone, TableDraw
from league.formats.grouping import level
from league.formats.seating import fewest_byes_first, seat
from league.formats.settings import Settings


def tables(entries: int, size: int, advance: int) -> tuple[int, ...]:
    """Sizes of the tables for `entries` >= 2, biggest first, a bye as 1.

    As few tables as hold everybody, of sizes that differ by at most one. A bye is left only at
    tables of two with an odd number of entries: three at tables of three or more always split
    without one.

    >>> tables(9, 3, 1), tables(7, 4, 2), tables(5, 2, 1)
    ((3, 3, 3), (4, 3), (2, 2, 1))
    """
    if entries < 2 or not 2 <= size <= 6 or not 1 <= advance < size:
        raise ValueError(f"no knockout of {entries} at tables of {size}, {advance} going on")
    count = -(-entries // size)
    small, big = divmod(entries, count)
    return (small + 1,) * big + (small,) * (count - big)


def planned(entries: int, settings: Settings) -> list[tuple[int, ...]]:
    """Table sizes of every round to the final: they don't depend on results.

    >>> planned(9, Settings(table_size=3))
    [(3, 3, 3), (3,)]
    """
    rounds: list[tuple[int, ...]] = []
    left, advance = entries, settings.advance
    while left > 1:
        sizes = tables(left, settings.table_size, advance)
        rounds.append(sizes)
        left = 1 if len(sizes) == 1 else sum(min(advance, max(1, each - 1)) for each in sizes)
    return rounds


def draw(field: Field, settings: Settings, seed: bytes) -> Draw:
    """Seat the next round. Winners come before seconds, then the better seed.

    Byes go to the best of those who had fewest. A final is a single table: one goes on.
    """
    order = _strongest_first(field)
    sizes = tables(len(order), settings.table_size, settings.advance)
    byes = fewest_byes_first(field, order)[: sizes.count(1)]
    playing = [number for number in order if number not in byes]
    small_first = sorted(size for size in sizes if size > 1)
    drawn = seat(field, level(playing, small_first), seed, byes=byes)
    final = len(drawn.tables) == 1
    return Draw(
        tuple(_with_advance(table, 1 if final else settings.advance) for table in drawn.tables),
        drawn.cost,
        drawn.proof,
    )


def close(field: Field, settings: Settings) -> Outcome:
    """Places of those who leave after the last round: behind all who go on, by place at their
    table, shared; who has dropped out since is behind those. The final is a round of one table."""
    done = field.rounds[-1]
    gone = [n for table in done for n in table.order if n not in field.known]
    going_on = tuple(number for table in done for number in _advancing(table, field))
    leaving = [
        (number in gone, _place(table, number), number)
        for table in done
        for number in table.order
        if number not in going_on
    ]
    places = _places(leaving, len(going_on))
    if len(going_on) > 1:
        return Outcome(places, going_on)
    if going_on:
        places[going_on[0]] = 1
    return Outcome(places, going_on, over=True)


def _strongest_first(field: Field) -> list[int]:
    place = {
        number: at
        for table in (field.rounds[-1] if field.rounds else ())
        for at, number in enumerate(table.order)
    }
    return sorted(field.known, key=lambda n: (place.get(n, 0), field.known[n].rank))


def _with_advance(table: TableDraw, advance: int) -> TableDraw:
    return TableDraw(table.seats, min(advance, max(1, len(table.seats) - 1)))


def _advancing(table: TableDone, field: Field) -> list[int]:
    able = [n for n in table.order if n not in table.forfeits and n in field.known]
    return able[: table.advance]


def _place(table: TableDone, number: int) -> int:
    # All who forfeit at a table share the place behind those who played.
    if number in table.forfeits:
        return len(table.order) - len(table.forfeits)
    return table.order.index(number)


def _places(leaving: Sequence[tuple[bool, int, int]], ahead: int) -> dict[int, int]:
    better = Counter((gone, place) for gone, place, _ in leaving)
    return {
        number: ahead + 1 + sum(n for other, n in better.items() if other < (gone, place))
        for gone, place, number in leaving
    }
