"""Who is last against whom: a table of heads, from the deals that count."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from league.formats.field import Places


@dataclass(frozen=True)
class Against:
    """By pair (one, other): deals together, and in how many of them `one` was last."""

    together: Counter[tuple[int, int]]
    last: Counter[tuple[int, int]]


def against(deals: Iterable[Places]) -> Against:
    """Count them; a deal that nobody lost was played together all the same.

    >>> found = against([((1, 2), (3,)), ((3,), (1,), (2,))])
    >>> found.together[3, 1], found.last[3, 1], found.last[2, 3], found.last[1, 3]
    (2, 1, 1, 0)
    """
    found = Against(Counter(), Counter())
    for places in deals:
        last = places[-1] if len(places) > 1 else ()
        sat = [number for group in places for number in group]
        pairs = [(one, other) for one in sat for other in sat if one != other]
        found.together.update(pairs)
        found.last.update(pair for pair in pairs if pair[0] in last and pair[1] not in last)
    return found
