"""The play-off: who shares the win plays for it, a deal a table, until one is left.

Where all of them sit at one table its places are theirs, and who shares the first plays again; of
several tables the last of each falls behind the others.
"""

from collections.abc import Iterable, Mapping, Sequence

from league.formats.field import TableDone


def decided(tied: Sequence[int], tables: Iterable[TableDone]) -> dict[int, int]:
    """Places of who shared the win after one round of it, from 1.

    >>> decided([1, 2, 3], [TableDone(((2,), (1, 3)))])
    {2: 1, 1: 2, 3: 2}
    """
    played = [table for table in tables if len(table.order) > 1]
    if len(played) == 1 and set(played[0].order) == set(tied):
        groups = [list(group) for group in played[0].places]
    else:
        last = sorted({number for table in played for number in table.last} & set(tied))
        groups = [[number for number in tied if number not in last], last]
    places: dict[int, int] = {}
    for group in filter(None, groups):
        places |= dict.fromkeys(group, len(places) + 1)
    return places


def together(tied: Sequence[int], so_far: Iterable[Mapping[int, int]]) -> dict[int, int]:
    """Places of all of them after several rounds, in each of which those who still shared the first
    place played.

    >>> together([1, 2, 3], [{1: 1, 2: 1, 3: 3}, {2: 1, 1: 2}])
    {1: 2, 2: 1, 3: 3}
    """
    places = dict.fromkeys(tied, 1)
    for one in so_far:
        places |= one
    return places
