"""Steps of standings: what is compared, and in which words it is told.

Source: competitions.md, "Standings order". A step is a small pure object: a code, a value that is
better when smaller, and a sentence. It judges those who are level in all steps before it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from league.formats.meetings import Meetings
from league.formats.tallying import UNIT, Sums

# Nothing to judge by ranks behind whoever has something.
NONE = Fraction(10**9)


@dataclass(frozen=True)
class Line:
    """One entry to rank. `place` is its final place in the format, 0 while it is in."""

    number: int
    sums: Sums
    place: int = 0


@dataclass(frozen=True)
class Tied:
    """Lines that are level so far, and what a step may look at beside their sums."""

    lines: Sequence[Line]
    meetings: Meetings
    loss_ratios: dict[int, Fraction]

    @cached_property
    def numbers(self) -> list[int]:
        """Who is level."""
        return [line.number for line in self.lines]

    @cached_property
    def all_met(self) -> bool:
        """Whether each of them has met each."""
        return self.meetings.all_met(self.numbers)


Shown = str | Fraction
"""What people read of a value; a fraction is shown with as many digits as tell two apart."""


@dataclass(frozen=True)
class Step:
    """One comparison among those who are level: `value` is better when smaller, `shown` is what
    people read of it. `meets`: it looks at meetings."""

    code: str
    value: Callable[[Line, Tied], Fraction]
    shown: Callable[[Line, Tied], Shown]
    sentence: str
    meets: bool = False


def _ratio(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else NONE


def loss_ratio(sums: Sums) -> Fraction:
    """Losses for those that the tables played at made likely; very much without a deal."""
    return _ratio(sums.losses * UNIT, sums.fair_losses)


def _loss_index(line: Line) -> Fraction:
    return line.sums.losses - Fraction(line.sums.fair_losses, UNIT)


def _loss_rate(line: Line) -> Fraction:
    return _ratio(line.sums.losses, line.sums.deals)


def _percentile(line: Line) -> Fraction:
    return _ratio(line.sums.percentiles, UNIT * line.sums.deals)


def _worse_percentile(line: Line) -> Fraction:
    return 1 - _percentile(line) if line.sums.deals else NONE


def _behind(line: Line, tied: Tied) -> Fraction:
    """Where all have met: the share of the meetings among them in which others were ahead."""
    if not tied.all_met:
        return Fraction(0)
    won, of = tied.meetings.ahead(line.number, tied.numbers)
    return 1 - Fraction(won, of)


def _ahead(line: Line, tied: Tied) -> str:
    won, of = tied.meetings.ahead(line.number, tied.numbers)
    return f"{won // 2}{'.5' if won % 2 else ''}/{of // 2}"


def _strength(line: Line, tied: Tied) -> Fraction:
    found = tied.meetings.strength(line.number, tied.loss_ratios)
    return NONE if found is None else found


def _sum(value: Callable[[Line], Fraction]) -> Callable[[Line, Tied], Fraction]:
    return lambda line, _: value(line)


def _told(shown: Callable[[Line], Shown]) -> Callable[[Line, Tied], Shown]:
    return lambda line, _: shown(line)


STEPS: dict[str, Step] = {
    step.code: step
    for step in [
        Step(
            "place",
            _sum(lambda line: Fraction(line.place)),
            _told(lambda line: str(line.place or "in")),
            "further in the competition: place {0} against {1}",
        ),
        Step(
            "chips",
            _sum(lambda line: Fraction(line.sums.chips)),
            _told(lambda line: str(line.sums.chips)),
            "fewer chips: {0} against {1}",
        ),
        Step(
            "loss_ratio",
            _sum(lambda line: loss_ratio(line.sums)),
            _told(lambda line: loss_ratio(line.sums)),
            "fewer losses for the deals played: ratio {0} against {1}",
        ),
        Step(
            "loss_index",
            _sum(_loss_index),
            _told(_loss_index),
            "fewer losses than expected: index {0} against {1}",
        ),
        Step(
            "loss_rate",
            _sum(_loss_rate),
            _told(lambda line: f"{line.sums.losses}/{line.sums.deals}"),
            "a lower loss rate: {0} against {1}",
        ),
        Step(
            "direct",
            _behind,
            _ahead,
            "ahead more often in the deals of those who were level: {0} against {1}",
            meets=True,
        ),
        Step(
            "first_places",
            _sum(lambda line: Fraction(-line.sums.first_places)),
            _told(lambda line: str(line.sums.first_places)),
            "more first places: {0} against {1}",
        ),
        Step(
            "percentile",
            _sum(_worse_percentile),
            _told(_percentile),
            "better places on the whole: {0} against {1}",
        ),
        Step(
            "meeting_strength",
            _strength,
            _strength,
            "met who lost less: their loss ratio {0} against {1}",
            meets=True,
        ),
        Step(
            "last_loss",
            _sum(lambda line: Fraction(line.sums.last_loss)),
            _told(lambda line: "-".join(map(str, divmod(line.sums.last_loss, 1000)))),
            "the last loss was longer ago: round and deal {0} against {1}",
        ),
    ]
}
KNOCKOUT_STEPS = ("place", "chips", "loss_ratio", "first_places", "percentile", "last_loss")
LEAGUE_STEPS = (
    "chips",
    "loss_index",
    "loss_rate",
    "direct",
    "first_places",
    "percentile",
    "meeting_strength",
    "last_loss",
)
UNEQUAL_STEPS = ("loss_ratio", *LEAGUE_STEPS[1:])
