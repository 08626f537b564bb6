"""Share entries out to tables with as little cost as can be: from a given start, by exchanges.

Knows numbers, sizes and costs; why a pair costs something is the caller's business.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

PairCosts = Mapping[int, Mapping[int, int]]
"""What each costs beside each, both ways; a pair that is not there costs nothing."""
SeatCost = Callable[[int, int], int]
"""What it costs to seat an entry at a table of a size."""

SEARCHED_UP_TO = 12
"""With so many entries the answer is the best there is."""
_NODES = 200_000
_EXCHANGES = 150_000
_SHAKES = 40


class Proof(Enum):
    """How sure it is that the cost can't be less."""

    FREE = "free"  # it costs nothing
    BOUND = "bound"  # a lower bound of the caller's is met: the pigeonhole
    SEARCHED = "searched"  # the search went through all there is
    BEST_FOUND = "best_found"


@dataclass(frozen=True)
class Grouping:
    """Numbers by table, each group in the order given, with what it costs."""

    groups: tuple[tuple[int, ...], ...]
    cost: int
    proof: Proof


def share_out(
    start: Sequence[Sequence[int]],
    pair_costs: PairCosts,
    seat_cost: SeatCost | None = None,
    *,
    bound: int = 0,
    seed: bytes = b"",
) -> Grouping:
    """Exchange entries between the groups of `start` until nothing is saved by it.

    Moves away from the start only where that saves cost. `bound` is a cost known to be
    unavoidable; `seed` decides in which direction a big field is searched.
    """
    order = [number for group in start for number in group]
    search = _Exchanges([list(group) for group in start], pair_costs, seat_cost, bound)
    search.descend()
    groups, cost, proof = search.groups, search.total(), Proof.BEST_FOUND
    if cost > bound and len(order) <= SEARCHED_UP_TO:
        exact = _Exhaustive(order, [len(group) for group in start], pair_costs, seat_cost, cost)
        exact.run()
        groups, cost = exact.groups or groups, exact.best
        proof = Proof.SEARCHED if exact.ended else proof
    elif cost > bound:
        search.shake(random.Random(seed))  # noqa: S311 - decides where to look, nothing secret
        groups, cost = search.groups, search.total()
    if cost <= bound:
        proof = Proof.BOUND if cost else Proof.FREE
    place = {number: at for at, number in enumerate(order)}
    ranked = tuple(tuple(sorted(group, key=place.__getitem__)) for group in groups)
    return Grouping(ranked, cost, proof)


def level(order: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Deal the order (strongest first) out in rows so that the sums of seeds come out level.

    `sizes` differ by one at most. The last, short row goes to the tables of the weakest top
    seeds: few opponents are what the strongest have earned.
    """
    count = len(sizes)
    rows = [list(order[i : i + count]) for i in range(0, min(sizes) * count, count)]
    groups: list[list[int]] = [[] for _ in sizes]
    for row, places in zip(rows, _places(count, len(rows)), strict=True):
        for number, place in zip(row, places, strict=True):
            groups[place].append(number)
    short = order[min(sizes) * count :]
    for group, number in zip(reversed(groups), short, strict=False):
        group.append(number)
    return groups


def in_turn(order: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Neighbours in the order sit together, the first at the first table.

    >>> in_turn([1, 2, 3, 4, 5], [3, 2])
    [[1, 2, 3], [4, 5]]
    """
    groups, at = [], 0
    for size in sizes:
        groups.append(list(order[at : at + size]))
        at += size
    return groups


def _places(count: int, rows: int) -> list[list[int]]:
    # Two rows level each other by going there and back. Three do it by a shift and by giving
    # the third row's strongest to the table that is worst off so far.
    there = list(range(count))
    back = there[::-1]
    if rows % 2 == 0 or rows == 1:
        return [there, back] * (rows // 2) + [there] * (rows % 2)
    shift = [(place + (count + 1) // 2) % count for place in there]
    sums = {place: place + second for second, place in enumerate(shift)}
    third = sorted(there, key=lambda place: (-sums[place], place))
    return [there, shift, third] + [there, back] * ((rows - 3) // 2)


class _Costs:
    """What numbers cost where they sit."""

    def __init__(self, pair_costs: PairCosts, seat_cost: SeatCost | None) -> None:
        self._pairs = pair_costs
        self._seat = seat_cost

    def beside(self, number: int, others: Sequence[int]) -> int:
        """The pairs of a number with others; itself among them costs nothing."""
        row = self._pairs.get(number)
        return sum([row.get(other, 0) for other in others]) if row else 0

    def seat(self, number: int, size: int) -> int:
        """The seat alone."""
        return self._seat(number, size) if self._seat else 0

    def of(self, group: Sequence[int]) -> int:
        """A whole table."""
        pairs = sum(self.beside(number, group) for number in group) // 2
        return pairs + sum(self.seat(number, len(group)) for number in group)


class _Exchanges:
    """Groups, and exchanges of two entries of different tables that save something."""

    def __init__(
        self,
        groups: list[list[int]],
        pair_costs: PairCosts,
        seat_cost: SeatCost | None,
        bound: int,
    ) -> None:
        self.groups = groups
        self._costs = _Costs(pair_costs, seat_cost)
        self._bound = bound
        self._left = _EXCHANGES

    def total(self) -> int:
        """What all tables cost."""
        return sum(self._costs.of(group) for group in self.groups)

    def descend(self) -> None:
        """Exchange whatever saves most for each entry that costs something, until none does."""
        improved = self.total() > self._bound
        while improved and self._left > 0:
            improved = False
            for table, group in enumerate(self.groups):
                for at in range(len(group)):
                    if self._costly(table, at) and self._exchange(table, at):
                        improved = True

    def shake(self, dice: random.Random) -> None:
        """Go down again from places near the best one found; keeps the best."""
        best, cost = [list(group) for group in self.groups], self.total()
        for _ in range(_SHAKES):
            if cost <= self._bound or self._left <= 0:
                break
            self.groups = [list(group) for group in best]
            for _ in range(4):
                self._swap_at_random(dice)
            self.descend()
            if (now := self.total()) < cost:
                best, cost = [list(group) for group in self.groups], now
        self.groups = best

    def _swap_at_random(self, dice: random.Random) -> None:
        one, other = dice.choice(self.groups), dice.choice(self.groups)
        i, j = dice.randrange(len(one)), dice.randrange(len(other))
        one[i], other[j] = other[j], one[i]

    def _costly(self, table: int, at: int) -> bool:
        group = self.groups[table]
        number = group[at]
        return bool(self._costs.beside(number, group) or self._costs.seat(number, len(group)))

    def _exchange(self, table: int, at: int) -> bool:
        group, best = self.groups[table], (0, 0, 0, 0)
        own = self._costs.beside(group[at], group) + self._costs.seat(group[at], len(group))
        for other, seats in enumerate(self.groups):
            if other == table:
                continue
            for there in range(len(seats)):
                gain = self._gain(group, at, seats, there)
                # The same row first, which keeps the sums of seeds nearly level.
                best = max(best, (gain, -abs(at - there), -other, -there))
            self._left -= len(seats)
            if best[0] >= own:
                break  # it costs nothing any more
        gain, _, other, there = best
        if gain <= 0:
            return False
        seats = self.groups[-other]
        group[at], seats[-there] = seats[-there], group[at]
        return True

    def _gain(self, one: list[int], i: int, other: list[int], j: int) -> int:
        a, b, costs = one[i], other[j], self._costs
        together = costs.beside(a, (b,))
        before = costs.beside(a, one) + costs.beside(b, other)
        after = costs.beside(b, one) + costs.beside(a, other) - 2 * together
        if len(one) != len(other):
            before += costs.seat(a, len(one)) + costs.seat(b, len(other))
            after += costs.seat(b, len(one)) + costs.seat(a, len(other))
        return before - after


class _Exhaustive:
    """All ways to share a small field out, given up where the cost is that of the best already."""

    def __init__(
        self,
        order: Sequence[int],
        sizes: Sequence[int],
        pair_costs: PairCosts,
        seat_cost: SeatCost | None,
        best: int,
    ) -> None:
        self.best = best
        self.groups: list[list[int]] | None = None
        self._order, self._sizes = order, sizes
        self._costs = _Costs(pair_costs, seat_cost)
        self._nodes = _NODES
        self._at: list[list[int]] = [[] for _ in sizes]

    @property
    def ended(self) -> bool:
        """Whether it went through all there is."""
        return self._nodes > 0

    def run(self) -> None:
        """Search; `groups` stays None where nothing better was found."""
        self._place(0, 0)

    def _place(self, at: int, cost: int) -> None:
        self._nodes -= 1
        if cost >= self.best or self._nodes <= 0:
            return
        if at == len(self._order):
            self.best, self.groups = cost, [list(group) for group in self._at]
            return
        number, empty_seen = self._order[at], set[int]()
        for group, size in zip(self._at, self._sizes, strict=True):
            if len(group) == size or (not group and size in empty_seen):
                continue
            if not group:
                empty_seen.add(size)  # two empty tables of a size are the same table
            more = self._costs.beside(number, group) + self._costs.seat(number, size)
            group.append(number)
            self._place(at + 1, cost + more)
            group.pop()
