"""Seat a round: who sits with whom, why that is the best there is, and what it costs.

In this order: forbidden pairs apart, who comes late where three others can begin, bots of one owner
apart, few repeats, turns at small tables evened out. Formats choose sizes and the start; the order
of seats is by lot.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from league.formats.field import Cost, Draw, Field, TableDone, TableDraw
from league.formats.grouping import PairCosts, share_out
from league.formats.lots import shuffled

_FORBIDDEN, _LATE, _SAME_OWNER, _REPEAT = 10**18, 10**15, 10**12, 10**6
# So many of a table are to be there from the first deal on.
_BEGIN = 3


def seat(
    field: Field,
    start: Sequence[Sequence[int]],
    seed: bytes,
    *,
    advance: int = 0,
    byes: Sequence[int] = (),
    repeats: bool = True,
) -> Draw:
    """Seat the groups of `start` as well as can be; `byes` sit alone, at the end. Without
    `repeats` it is no matter who has met whom."""
    playing = [number for group in start for number in group]
    sizes = [len(group) for group in start]
    biggest = max(sizes, default=0)
    turns = field.small_turns

    counts_turns = repeats and bool(turns)

    def seat_cost(number: int, size: int) -> int:
        turn = turns.get(number, 0) if counts_turns and size < biggest else 0
        return turn + (_LATE if number in field.late and size <= _BEGIN else 0)

    weighed = field if repeats else replace(field, rounds=())
    found = share_out(
        start,
        _pair_costs(weighed, playing),
        seat_cost if (counts_turns or field.late) and len(set(sizes)) > 1 else None,
        bound=_unavoidable(weighed, playing, sizes),
        seed=seed,
    )
    tables = [TableDraw(tuple(shuffled(seed, "seats", group)), advance) for group in found.groups]
    tables += [TableDraw((number,), 1) for number in byes]
    return Draw(tuple(tables), _cost(found.cost), found.proof)


def fewest_byes_first(field: Field, order: Iterable[int]) -> list[int]:
    """The same order, who had fewer byes before who had more."""
    return sorted(order, key=lambda number: field.byes.get(number, 0))


def _cost(cost: int) -> Cost:
    return Cost(
        forbidden=cost // _FORBIDDEN,
        late=cost % _FORBIDDEN // _LATE,
        same_owner=cost % _LATE // _SAME_OWNER,
        repeats=cost % _SAME_OWNER // _REPEAT,
        small_turns=cost % _REPEAT,
    )


def _pair_costs(field: Field, playing: Sequence[int]) -> PairCosts:
    here = frozenset(playing)
    costs: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for one, other, cost in (
        *((*pair, _REPEAT * times) for pair, times in field.meetings.items()),
        *((*pair, _FORBIDDEN) for pair in field.forbidden),
        *((*pair, _LATE) for pair in combinations(sorted(field.late), 2)),
        *((*pair, _SAME_OWNER) for pair in _of_one_owner(field, playing)),
    ):
        if one in here and other in here:
            costs[one][other] += cost
            costs[other][one] += cost
    return costs


def _of_one_owner(field: Field, playing: Sequence[int]) -> Iterable[tuple[int, int]]:
    bots: dict[int, list[int]] = defaultdict(list)
    for number in playing:
        owner = field.known[number].owner
        if owner is not None:
            bots[owner].append(number)
    for numbers in bots.values():
        yield from ((a, b) for a in numbers for b in numbers if a < b)


def _unavoidable(field: Field, playing: Sequence[int], sizes: Sequence[int]) -> int:
    """A cost below which no seating can be, by the pigeonhole: an owner with more bots than there
    are tables has two at one of them, and so have those who sat together in one round."""
    owners: Counter[int] = Counter(
        owner for number in playing if (owner := field.known[number].owner) is not None
    )
    together = sum(_fewest_pairs(bots, len(sizes)) for bots in owners.values())
    return _SAME_OWNER * together + _REPEAT * _repeats(field, frozenset(playing), sizes)


def _repeats(field: Field, playing: frozenset[int], sizes: Sequence[int]) -> int:
    by_round = (_pairs_again(tables, playing, len(sizes)) for tables in field.rounds)
    return max(max(by_round, default=0), _too_few_unmet(field, playing, sizes))


def _pairs_again(tables: Iterable[TableDone], playing: frozenset[int], count: int) -> int:
    return sum(_fewest_pairs(len(playing.intersection(table.order)), count) for table in tables)


def _too_few_unmet(field: Field, playing: frozenset[int], sizes: Sequence[int]) -> int:
    met: Mapping[int, set[int]] = defaultdict(set)
    for pair in field.meetings:
        one, other = pair
        met[one].add(other)
        met[other].add(one)
    opponents = min(sizes, default=1) - 1
    lacking = (opponents - (len(playing) - 1 - len(met[n] & playing)) for n in playing)
    return (sum(number for number in lacking if number > 0) + 1) // 2


def _fewest_pairs(people: int, tables: int) -> int:
    each, more = divmod(people, tables)
    return (tables - more) * (each * (each - 1) // 2) + more * (each * (each + 1) // 2)
