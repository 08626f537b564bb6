"""Share entries out to tables: level by seed, with as few unwanted pairs as can be.

Knows numbers, sizes and what a pair costs; why a pair is unwanted is the caller's business.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations

PairCost = Callable[[int, int], int]
_SWAPS_TRIED = 20_000
_NODES_SEARCHED = 20_000
_SEARCHED_UP_TO = 16  # entries


class Proof(Enum):
    """How sure it is that the cost can't be less."""

    FREE = "free"  # it costs nothing
    BOUND = "bound"  # a lower bound of the caller's is met: the pigeonhole
    SEARCHED = "searched"  # the search went through all there is
    BEST_FOUND = "best_found"


@dataclass(frozen=True)
class Grouping:
    """Numbers by table, each group strongest first, with what it costs."""

    groups: tuple[tuple[int, ...], ...]
    cost: int
    proof: Proof


def share_out(
    order: Sequence[int], sizes: Sequence[int], pair_cost: PairCost, bound: int = 0
) -> Grouping:
    """Group `order` (strongest first) into tables of `sizes` (no two differ by more than 1).

    Starts level and moves away from that only where it saves cost. `bound` is a cost that is
    known to be unavoidable.
    """
    groups = level(order, sizes)
    _swap(groups, pair_cost, bound)
    cost = sum(_group_cost(group, pair_cost) for group in groups)
    proof = Proof.BEST_FOUND
    if cost > bound and len(order) <= _SEARCHED_UP_TO:
        found = _search(order, sizes, pair_cost, cost)
        groups, cost = (found.groups or groups), min(found.best, cost)
        proof = Proof.SEARCHED if found.ended else proof
    if cost <= bound:
        proof = Proof.BOUND if cost else Proof.FREE
    rank = {number: place for place, number in enumerate(order)}
    ranked = tuple(tuple(sorted(group, key=rank.__getitem__)) for group in groups)
    return Grouping(ranked, cost, proof)


def level(order: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Deal the order out in rows, one to each table, so that the sums of seeds come out level.

    The last, short row goes to the tables of the weakest top seeds: few opponents are what the
    strongest have earned.
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


def _group_cost(group: Sequence[int], pair_cost: PairCost) -> int:
    return sum(pair_cost(a, b) for a, b in combinations(group, 2))


def _swap(groups: list[list[int]], pair_cost: PairCost, bound: int) -> None:
    # Exchange two entries of different tables while that saves something; the same row first,
    # which keeps the sums of seeds nearly level.
    tries = _SWAPS_TRIED
    cost = sum(_group_cost(group, pair_cost) for group in groups)
    while cost > bound and tries > 0:
        gain, swap, tries = _best_swap(groups, pair_cost, tries)
        if swap is None:
            return
        (g, i), (h, j) = swap
        groups[g][i], groups[h][j] = groups[h][j], groups[g][i]
        cost -= gain


_Spot = tuple[int, int]


def _best_swap(
    groups: list[list[int]], pair_cost: PairCost, tries: int
) -> tuple[int, tuple[_Spot, _Spot] | None, int]:
    best: tuple[int, int, tuple[_Spot, _Spot]] | None = None
    spots = [(g, i) for g, group in enumerate(groups) for i in range(len(group))]
    for g, i in spots:
        if not _cost_of(groups[g][i], groups[g], pair_cost):
            continue
        for h, j in spots:
            if h == g or tries <= 0:
                continue
            tries -= 1
            gain = _gain(groups, (g, i), (h, j), pair_cost)
            if gain > 0 and (best is None or (-gain, abs(i - j)) < best[:2]):
                best = (-gain, abs(i - j), ((g, i), (h, j)))
    return (-best[0], best[2], tries) if best else (0, None, tries)


def _cost_of(number: int, group: Sequence[int], pair_cost: PairCost) -> int:
    return sum(pair_cost(number, other) for other in group if other != number)


def _gain(groups: list[list[int]], one: _Spot, other: _Spot, pair_cost: PairCost) -> int:
    a, b = groups[one[0]][one[1]], groups[other[0]][other[1]]
    rest_a = [number for number in groups[one[0]] if number != a]
    rest_b = [number for number in groups[other[0]] if number != b]
    before = _cost_of(a, rest_a, pair_cost) + _cost_of(b, rest_b, pair_cost)
    return before - _cost_of(b, rest_a, pair_cost) - _cost_of(a, rest_b, pair_cost)


@dataclass
class _Found:
    best: int
    groups: list[list[int]] | None = None
    nodes: int = _NODES_SEARCHED

    @property
    def ended(self) -> bool:
        return self.nodes > 0


def _search(order: Sequence[int], sizes: Sequence[int], pair_cost: PairCost, best: int) -> _Found:
    found = _Found(best)
    _place(order, 0, [[] for _ in sizes], sizes, pair_cost, 0, found)
    return found


def _place(
    order: Sequence[int],
    at: int,
    groups: list[list[int]],
    sizes: Sequence[int],
    pair_cost: PairCost,
    cost: int,
    found: _Found,
) -> None:
    found.nodes -= 1
    if cost >= found.best or found.nodes <= 0:
        return
    if at == len(order):
        found.best, found.groups = cost, [list(group) for group in groups]
        return
    empty_seen: set[int] = set()
    for group, size in zip(groups, sizes, strict=True):
        if len(group) == size or (not group and size in empty_seen):
            continue
        if not group:
            empty_seen.add(size)  # two empty tables of a size are the same table
        more = _cost_of(order[at], group, pair_cost)
        group.append(order[at])
        _place(order, at + 1, groups, sizes, pair_cost, cost + more, found)
        group.pop()
