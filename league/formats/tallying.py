"""What each deal adds to the sums of its players: chips, losses, places. Whole numbers only.

Everything here is a sum or a maximum, so the order in which deals arrive makes no difference.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from league.formats import chips
from league.formats.deals import Places, place_of
from league.formats.settings import Per, Settings

UNIT = 2520  # divisible by every table size from 2 to 10
DEALS_A_ROUND = 1000  # `last_loss` = round * this + deal


@dataclass(frozen=True)
class Sums:
    """A player's tally. `fair_losses`, `percentiles`: units of 1/2520 (`PenaltyTally`)."""

    chips: int = 0
    losses: int = 0
    deals: int = 0
    first_places: int = 0
    fair_losses: int = 0
    percentiles: int = 0
    last_loss: int = 0

    def free(self) -> "Sums":
        """The same without chips."""
        return replace(self, chips=0)

    def __add__(self, other: "Sums") -> "Sums":
        """Both together."""
        return Sums(
            self.chips + other.chips,
            self.losses + other.losses,
            self.deals + other.deals,
            self.first_places + other.first_places,
            self.fair_losses + other.fair_losses,
            self.percentiles + other.percentiles,
            max(self.last_loss, other.last_loss),
        )


def table_sums(
    deals: Mapping[int, Places], places: Places, round_number: int, settings: Settings
) -> dict[int, Sums]:
    """What a table adds, by entry number: its deals by number, and the chips for them or for
    `places`, the order of the table."""
    parts = [deal_sums(deal, round_number, number) for number, deal in deals.items()]
    charged = deals.values() if settings.chips_per == Per.DEAL else [places]
    costs: Counter[int] = Counter()
    for order in charged:
        for entry, number in chips.taken(settings.chips, order):
            costs[entry] += number
    return total([*parts, {entry: Sums(chips=number) for entry, number in costs.items()}])


def deal_sums(places: Places, round_number: int, deal_number: int) -> dict[int, Sums]:
    """What one deal adds but for chips, by entry number. Whoever shares the last place shares the
    loss."""
    size = sum(len(group) for group in places)
    last = set(places[-1]) if len(places) > 1 else set()
    when = round_number * DEALS_A_ROUND + deal_number
    return {
        number: _sums(place_of(places, number), size, number in last, when)
        for group in places
        for number in group
    }


def total(parts: Iterable[dict[int, Sums]]) -> dict[int, Sums]:
    """The sums of many deals together, by entry number."""
    result: dict[int, Sums] = {}
    for part in parts:
        for number, sums in part.items():
            result[number] = result.get(number, Sums()) + sums
    return result


def total_of(parts: Iterable[Sums]) -> Sums:
    """All of one player's together."""
    return sum(parts, Sums())


def _sums(place: int, size: int, lost: bool, when: int) -> Sums:
    return Sums(
        losses=int(lost),
        deals=1,
        first_places=int(place == 1),
        fair_losses=UNIT // size,
        percentiles=UNIT * (size - place) // (size - 1),
        last_loss=when if lost else 0,
    )
