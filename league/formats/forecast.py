"""How long a competition takes, by playing it many times with players of equal strength.

Pure: the seed decides the lots. People may stay away from a round; who is away is not seated.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import quantiles

from league.formats import chips
from league.formats.field import Entrant, Field, TableDone
from league.formats.registry import FORMATS
from league.formats.rounds import out_now
from league.formats.settings import AfterOut, Per, Settings

_RUNS = 40
_MOST_ROUNDS = 200
# Seats in rounds that are played out in all: anybody may ask, and an answer takes a second or two.
_WORK = 20_000
FEW_ROUNDS, MANY_ROUNDS = 4, 40


@dataclass(frozen=True)
class Forecast:
    """Rounds until the end, and until the first is out (None: mostly nobody): 10 %, half, 90 %."""

    rounds: tuple[int, int, int]
    first_out: tuple[int, int, int] | None
    tables: int
    """Of the first round."""
    ends: bool
    """False where it went on for 200 rounds."""

    @property
    def warning(self) -> str | None:
        """A word where it is over too soon or takes too long for a league."""
        if not self.ends:
            return "It may never end: choose a number of rounds or a limit."
        if self.rounds[1] < FEW_ROUNDS:
            return f"Mostly it is over after {self.rounds[1]} rounds."
        if self.rounds[1] > MANY_ROUNDS:
            return f"Mostly it takes {self.rounds[1]} rounds."
        return None


def forecast(
    entries: int, settings: Settings, format: str, away: float = 0.0, seed: int = 1
) -> Forecast:
    """Play it out. `away`: how likely somebody misses a round, from 0 to 0.9."""
    dice = random.Random(seed)  # noqa: S311 - a forecast keeps no secret
    runs: list[tuple[int, int | None]] = []
    work = 0
    while len(runs) < _RUNS and work < _WORK:
        length, out, played = _run(entries, settings, format, away, dice)
        runs.append((length, out))
        work += played
    outs = [out for _, out in runs if out is not None]
    sizes = FORMATS[format].planned(entries, settings)
    return Forecast(
        rounds=_spread([length for length, _ in runs]),
        first_out=_spread(outs) if len(outs) > len(runs) // 2 else None,
        tables=len(sizes[0]) if sizes else 1,
        ends=all(length < _MOST_ROUNDS for length, _ in runs),
    )


def _run(
    entries: int, settings: Settings, format: str, away: float, dice: random.Random
) -> tuple[int, int | None, int]:
    """Rounds to the end, the round in which the first was out, seats played out on the way."""
    played = 0
    field = Field(tuple(Entrant(n, n) for n in range(1, entries + 1)))
    quick = replace(settings, seating="random" if settings.seating == "balanced" else "fixed")
    first_out = None
    for number in range(1, _MOST_ROUNDS + 1):
        played += len(field.entrants)
        here = field.without(e.number for e in field.entrants if dice.random() < away)
        if len(here.entrants) < 2:
            continue
        # Byes and turns of long ago weigh nothing here, but counting them takes time.
        drawn = FORMATS[format].draw(
            replace(here, rounds=here.rounds[-1:]), quick, dice.randbytes(8)
        )
        done = tuple(_played(table.seats, table.advance, settings, dice) for table in drawn.tables)
        field = Field(field.entrants, (*field.rounds, done))
        # Once somebody is out chips matter where who is out leaves, or is counted.
        if first_out is None or settings.left or settings.after_out == AfterOut.LEAVES:
            field = _charged(field, settings, dice)
        if first_out is None and out_now(field.entrants, settings):
            first_out = number
        outcome = FORMATS[format].close(field, settings)
        if outcome.over:
            return number, first_out, played
        field = field.without(set(field.numbers) - set(outcome.still_in))
    return _MOST_ROUNDS, first_out, played


def _played(
    seats: Sequence[int], advance: int, settings: Settings, dice: random.Random
) -> TableDone:
    order = dice.sample(seats, len(seats))
    return TableDone(tuple((n,) for n in order), advance, deals=settings.deals_per_table)


def _charged(field: Field, settings: Settings, dice: random.Random) -> Field:
    costs: Counter[int] = Counter()
    deals = settings.deals_per_table if settings.chips_per == Per.DEAL else 1
    for table in field.rounds[-1]:
        by_place = chips.vector(settings.chips, len(table.order))
        costs.update(dict(zip(table.order, by_place, strict=True)))
        # The other deals each seat by seat: of strength they are equal, so places are by lot.
        if len(table.order) > 1 and settings.limit:
            costs.update(_lots(table.order, by_place, deals - 1, dice))
    charged = (replace(e, chips=e.chips + costs[e.number]) for e in field.entrants)
    return replace(field, entrants=tuple(charged))


def _lots(
    seats: Sequence[int], by_place: Sequence[int], deals: int, dice: random.Random
) -> Counter[int]:
    costs: Counter[int] = Counter()
    for cost in filter(None, by_place):
        for number in dice.choices(seats, k=deals):
            costs[number] += cost
    return costs


def _spread(numbers: Sequence[int]) -> tuple[int, int, int]:
    if len(numbers) < 2:
        return (numbers[0],) * 3 if numbers else (0, 0, 0)
    tenths = quantiles(numbers, n=10, method="inclusive")
    return (round(tenths[0]), round(tenths[4]), round(tenths[8]))
