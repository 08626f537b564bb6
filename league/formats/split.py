"""Split a number of people into tables (competitions.md, "table sizes")."""

from functools import cache

_THOUGHT_ABOUT = 100


def split(
    people: int,
    ideal: int = 4,
    smallest: int = 3,
    largest: int = 6,
    one_pack_serves: int | None = None,
) -> tuple[int, ...]:
    """Table sizes, biggest first; empty if no such split exists.

    Seats at tables that one pack can't serve count first (None: packs are no matter), then the
    sum of squared differences from `ideal`, then more tables are better.

    >>> split(7), split(9), split(9, one_pack_serves=4), split(10), split(11)
    ((4, 3), (5, 4), (3, 3, 3), (4, 3, 3), (4, 4, 3))
    """
    serves = largest if one_pack_serves is None else one_pack_serves
    # Of many, most sit at tables of the best size: only the rest is worth thinking about.
    best_size = max(smallest, min(ideal, serves))
    many = max(0, (people - _THOUGHT_ABOUT) // best_size)
    people -= many * best_size

    @cache
    def best(left: int, biggest: int) -> tuple[int, int, int, tuple[int, ...]] | None:
        if left == 0:
            return (0, 0, 0, ())
        found = []
        for size in range(smallest, min(biggest, left) + 1):
            rest = best(left - size, size)
            if rest is not None:
                over = size if size > serves else 0
                found.append(
                    (rest[0] + over, rest[1] + (size - ideal) ** 2, rest[2] - 1, (size, *rest[3]))
                )
        return min(found, default=None)

    answer = best(people, largest)
    return tuple(sorted(answer[3] + (best_size,) * many, reverse=True)) if answer else ()
