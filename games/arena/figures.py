"""What the games tell: places, loss rates with 95 % intervals, faults and times. Pure counting."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import quantiles
from typing import NamedTuple

from games.arena.match import Played

Z: float = 1.959964
"""Half the width of a 95 % interval in standard errors."""


class Interval(NamedTuple):
    """An estimate and where the true value lies in 95 % of all cases."""

    value: float
    low: float
    high: float


@dataclass
class Share:
    """One entrant's part in one unit (a game, or a block of rotations of one deck)."""

    losses: float = 0.0
    seats: int = 0


@dataclass
class Figures:
    """Running totals over the games of a contest, by entrant."""

    names: Sequence[str]
    duplicate: bool
    games: int = 0
    plies: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    units: dict[int, list[Share]] = field(default_factory=dict)
    places: list[Counter[int]] = field(default_factory=list)
    faults: list[Counter[str]] = field(default_factory=list)
    spent_ms: list[list[float]] = field(default_factory=list)
    evidence: list[str] = field(default_factory=list)
    """The first fault in words."""

    def __post_init__(self) -> None:
        self.places = [Counter() for _ in self.names]
        self.faults = [Counter() for _ in self.names]
        self.spent_ms = [[] for _ in self.names]
        self.evidence = ["" for _ in self.names]

    def add(self, played: Played) -> None:
        """Count one game."""
        unit = played.seating.block if self.duplicate else self.games
        self.games += 1
        self.plies += played.plies
        self.endings[played.ending] += 1
        shares = self.units.setdefault(unit, [Share() for _ in self.names])
        self._add_places(played, shares)
        for entrant, tally in zip(played.seating.entrants, played.tallies, strict=True):
            self.faults[entrant] += tally.faults
            self.spent_ms[entrant] += tally.spent_ms
            self.evidence[entrant] = self.evidence[entrant] or tally.evidence

    def _add_places(self, played: Played, shares: Sequence[Share]) -> None:
        place = 1
        for group in played.places:
            for seat in group:
                entrant = played.seating.entrants[seat]
                self.places[entrant][place] += 1
                shares[entrant].seats += 1
                if group is played.places[-1]:
                    shares[entrant].losses += 1 / len(group)
            place += len(group)

    def loss_rate(self, entrant: int) -> Interval:
        """How often a seat of this entrant is the Paskahousu; a shared loss counts in parts."""
        shares = [unit[entrant] for unit in self.units.values() if unit[entrant].seats]
        seats = sum(share.seats for share in shares)
        if not seats:
            return Interval(0.0, 0.0, 1.0)
        losses = sum(share.losses for share in shares)
        if not self.duplicate:
            return wilson(losses, seats)
        return _by_units(losses, seats, shares)

    def difference(self, one: int, other: int) -> Interval:
        """Loss rate of one minus that of the other, over the same games."""
        units = [(unit[one], unit[other]) for unit in self.units.values()]
        seats = sum(a.seats for a, _ in units), sum(b.seats for _, b in units)
        if not all(seats):
            return Interval(0.0, -1.0, 1.0)
        rates = (
            sum(a.losses for a, _ in units) / seats[0],
            sum(b.losses for _, b in units) / seats[1],
        )
        residuals = (
            (a.losses - rates[0] * a.seats) / seats[0] - (b.losses - rates[1] * b.seats) / seats[1]
            for a, b in units
        )
        return _around(rates[0] - rates[1], residuals, len(units), -1.0)

    def latency_ms(self, entrant: int) -> tuple[float, float, float]:
        """Median, 95th percentile and maximum of an answer's time."""
        times = self.spent_ms[entrant]
        if len(times) < 2:
            return (*times * 3, 0.0, 0.0, 0.0)[:3]  # type: ignore[return-value]
        cuts = quantiles(times, n=20, method="inclusive")
        return cuts[9], cuts[18], max(times)


def wilson(losses: float, seats: int) -> Interval:
    """Wilson's score interval.

    >>> low, high = wilson(0, 100)[1:]
    >>> round(low, 3), round(high, 3)
    (0.0, 0.037)
    """
    rate, weight = losses / seats, Z * Z / seats
    middle = (rate + weight / 2) / (1 + weight)
    half = sqrt(rate * (1 - rate) * weight + weight * weight / 4) / (1 + weight)
    return Interval(rate, max(0.0, middle - half), min(1.0, middle + half))


def _by_units(losses: float, seats: int, shares: Sequence[Share]) -> Interval:
    """Rotations of one deck are no independent games: the spread is that of whole blocks."""
    rate = losses / seats
    residuals = ((share.losses - rate * share.seats) / seats for share in shares)
    return _around(rate, residuals, len(shares), 0.0)


def _around(value: float, residuals: Iterable[float], units: int, least: float) -> Interval:
    spread = sum(residual * residual for residual in residuals)
    half = Z * sqrt(spread * units / (units - 1)) if units > 1 else 1.0
    return Interval(value, max(least, value - half), min(1.0, value + half))
