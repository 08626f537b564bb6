"""Knockout at tables of 2 to 6: sizes, draws round by round, and everybody's place at the end.

Source: competitions.md, "Formats". Knows entries by number and their results; refuses to know
how a table is played (`formats.deals`) or where anything is stored.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from league.formats.grouping import Proof, share_out
from league.formats.lots import shuffled

_FORBIDDEN, _SAME_OWNER, _REPEAT = 10**12, 10**6, 1


@dataclass(frozen=True)
class Options:
    """What a draw may ask for. `advance` of a table goes on, but never all of it."""

    size: int
    advance: int = 1
    forbidden: frozenset[frozenset[int]] = frozenset()


@dataclass(frozen=True)
class Entrant:
    """An entry still in. `rank` is its seed from 1; `place` that at its last table, 0 at first."""

    number: int
    rank: int
    owner: int | None = None
    place: int = 0
    byes: int = 0
    met: frozenset[int] = frozenset()


@dataclass(frozen=True)
class TableDraw:
    """Entry numbers in seat order; one alone has a bye."""

    seats: tuple[int, ...]
    advance: int


@dataclass(frozen=True)
class Draw:
    """A round's tables, byes last, and what kept it from being better, if anything."""

    tables: tuple[TableDraw, ...]
    forbidden: int = 0
    same_owner: int = 0
    repeats: int = 0
    proof: Proof = Proof.FREE


@dataclass(frozen=True)
class TableOrder:
    """A table that is done: entry numbers from first to last, and how many go on."""

    order: tuple[int, ...]
    advance: int


@dataclass(frozen=True)
class Outcome:
    """What a closed round makes of its entries: who is in, and the final places of the others."""

    places: dict[int, int] = field(default_factory=dict)
    still_in: tuple[int, ...] = ()

    @property
    def winner(self) -> int | None:
        """The only one left, if only one is."""
        return self.still_in[0] if len(self.still_in) == 1 else None


def tables(entries: int, size: int, advance: int) -> tuple[int, ...]:
    """Sizes of the tables for `entries` >= 2, biggest first, a bye as 1.

    As few tables as hold everybody, of sizes that differ by at most one. A bye is left only at
    tables of two with an odd number of entries: three at tables of three or more always split
    without one.

    >>> tables(9, 3, 1), tables(7, 4, 2), tables(5, 2, 1)
    ((3, 3, 3), (4, 3), (2, 2, 1))
    """
    _check(entries, size, advance)
    count = -(-entries // size)
    small, big = divmod(entries, count)
    return (small + 1,) * big + (small,) * (count - big)


def planned_sizes(entries: int, size: int, advance: int) -> list[tuple[int, ...]]:
    """Table sizes of every round to the final: they don't depend on results.

    >>> planned_sizes(9, 3, 1)
    [(3, 3, 3), (3,)]
    """
    rounds: list[tuple[int, ...]] = []
    left = entries
    while left > 1:
        sizes = tables(left, size, advance)
        rounds.append(sizes)
        left = 1 if len(sizes) == 1 else sum(min(advance, max(1, each - 1)) for each in sizes)
    return rounds


def seeding(ratings: Mapping[int, int | None], seed: bytes) -> tuple[int, ...]:
    """Entry numbers in order of seed: by rating, the unrated after them, equals by lot."""
    by_lot = shuffled(seed, "seeding", ratings)
    rated = {number: rating for number, rating in ratings.items() if rating is not None}
    return tuple(sorted(by_lot, key=lambda n: (n not in rated, -rated.get(n, 0))))


def draw(entrants: Sequence[Entrant], options: Options, seed: bytes) -> Draw:
    """Seat the next round. Winners come before seconds, then the better seed.

    Byes go to the best of those who had fewest. Forbidden pairs, then bots of one owner, then
    pairs that have met are kept apart where it can be.
    """
    order = sorted(entrants, key=lambda entrant: (entrant.place, entrant.rank))
    sizes = tables(len(order), options.size, options.advance)
    byes = _byes(order, sizes.count(1))
    known = {entrant.number: entrant for entrant in order}
    playing = [entrant.number for entrant in order if entrant.number not in byes]
    sizes = tuple(size for size in sizes if size > 1)
    cost = _PairCost(known, options.forbidden)
    found = share_out(playing, _small_first(sizes), cost, _unavoidable(known, playing, sizes))
    seated = [
        TableDraw(tuple(shuffled(seed, "seats", group)), min(options.advance, len(group) - 1))
        for group in found.groups
    ]
    if len(seated) == 1 and not byes:
        seated = [TableDraw(seated[0].seats, 1)]
    return Draw(
        tables=(*seated, *(TableDraw((number,), 1) for number in byes)),
        forbidden=found.cost // _FORBIDDEN,
        same_owner=found.cost % _FORBIDDEN // _SAME_OWNER,
        repeats=found.cost % _SAME_OWNER,
        proof=found.proof,
    )


def outcome(done: Sequence[TableOrder]) -> Outcome:
    """Places of those who leave: behind all who go on, by place at their table, shared.

    The final is a round of one table where one goes on: its winner, who has place 1.
    """
    still_in = tuple(number for table in done for number in table.order[: table.advance])
    leaving = sorted(
        (place, number)
        for table in done
        for place, number in enumerate(table.order)
        if place >= table.advance
    )
    better = Counter(place for place, _ in leaving)
    places = {
        number: len(still_in) + 1 + sum(n for other, n in better.items() if other < place)
        for place, number in leaving
    }
    if len(still_in) == 1:
        places[still_in[0]] = 1
    return Outcome(places, still_in)


def _check(entries: int, size: int, advance: int) -> None:
    if entries < 2 or not 2 <= size <= 6 or not 1 <= advance < size:
        raise ValueError(f"no knockout of {entries} at tables of {size}, {advance} going on")


def _byes(order: Sequence[Entrant], count: int) -> tuple[int, ...]:
    fewest_first = sorted(order, key=lambda entrant: entrant.byes)
    return tuple(entrant.number for entrant in fewest_first[:count])


def _small_first(sizes: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(sizes))


class _PairCost:
    """What it costs to seat two entries together."""

    def __init__(
        self, entrants: Mapping[int, Entrant], forbidden: frozenset[frozenset[int]]
    ) -> None:
        self._entrants = entrants
        self._forbidden = forbidden

    def __call__(self, a: int, b: int) -> int:
        one, other = self._entrants[a], self._entrants[b]
        cost = _REPEAT if b in one.met else 0
        if one.owner is not None and one.owner == other.owner:
            cost += _SAME_OWNER
        if self._forbidden and frozenset((a, b)) in self._forbidden:
            cost += _FORBIDDEN
        return cost


def _unavoidable(known: Mapping[int, Entrant], playing: Sequence[int], sizes: Sequence[int]) -> int:
    # An owner with more bots than there are tables must have two at one of them.
    owners = Counter(known[number].owner for number in playing)
    owners.pop(None, None)
    return _SAME_OWNER * sum(_fewest_pairs(count, len(sizes)) for count in owners.values())


def _fewest_pairs(bots: int, tables_: int) -> int:
    each, more = divmod(bots, tables_)
    return (tables_ - more) * (each * (each - 1) // 2) + more * (each * (each + 1) // 2)
