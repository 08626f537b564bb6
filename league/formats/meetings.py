"""Who has met whom in which deals, and who was ahead: what some steps of the standings look at."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from league.formats.deals import Places


@dataclass(frozen=True)
class Meetings:
    """By pair (one, other): how many deals they played together, and in halves how far `one` was
    ahead: 2 for each deal in which it was, 1 where they were level."""

    times: Mapping[tuple[int, int], int] = field(default_factory=dict)
    halves: Mapping[tuple[int, int], int] = field(default_factory=dict)
    opponents: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    """By entry: how often it met whom."""

    def all_met(self, numbers: Iterable[int]) -> bool:
        """Whether each has met each."""
        return all(pair in self.times for pair in combinations(sorted(numbers), 2))

    def ahead(self, number: int, others: Iterable[int]) -> tuple[int, int]:
        """Half meetings won against `others`, and half meetings there were."""
        pairs = [(number, other) for other in others if other != number]
        won = sum(self.halves.get(pair, 0) for pair in pairs)
        return won, 2 * sum(self.times.get(pair, 0) for pair in pairs)

    def strength(self, number: int, loss_ratio: Mapping[int, Fraction]) -> Fraction | None:
        """The mean loss ratio of whom it met, by how often; None if it met nobody."""
        met = self.opponents.get(number, {})
        if not met:
            return None
        known = sum(loss_ratio[other] * times for other, times in met.items())
        return Fraction(known, sum(met.values()))


def meetings_of(deals: Iterable[Places]) -> Meetings:
    """The meetings of all deals.

    >>> meetings_of([((1,), (2, 3))]).halves[1, 3], meetings_of([((1,), (2, 3))]).halves[2, 3]
    (2, 1)
    """
    times: Counter[tuple[int, int]] = Counter()
    halves: Counter[tuple[int, int]] = Counter()
    opponents: dict[int, Counter[int]] = {}
    for places in deals:
        at = {number: place for place, group in enumerate(places) for number in group}
        for one, other in combinations(sorted(at), 2):
            won = 1 + (at[one] < at[other]) - (at[one] > at[other])
            for pair, mine in (((one, other), won), ((other, one), 2 - won)):
                times[pair] += 1
                halves[pair] += mine
                opponents.setdefault(pair[0], Counter())[pair[1]] += 1
    return Meetings(times, halves, opponents)
