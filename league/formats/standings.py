"""Standings: ordered steps over the tallies' sums and meetings, each with its reason in two values.

Source: competitions.md, "Standings order". A step is a small pure object: a code, a value that is
better when smaller, and a sentence. It judges those who are level in all steps before it; the two
values of a reason alone tell which is better, and the sentence turned round is false.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from league.formats.meetings import Meetings
from league.formats.tallying import UNIT, Sums

# Nothing to judge by ranks behind whoever has something.
_NONE = Fraction(10**9)


class Attended(NamedTuple):
    """So many of what was offered, and how many rank."""

    played: int
    needed: int

    @property
    def enough(self) -> bool:
        """Whether it is ranked among the others."""
        return self.played >= self.needed


@dataclass(frozen=True)
class Line:
    """One entry to rank. `place` is its final place in the format, 0 while it is in. `attended`:
    what it has played of the deals or nights that rank it, where some must be."""

    number: int
    sums: Sums
    place: int = 0
    attended: Attended | None = None


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


@dataclass(frozen=True)
class Reason:
    """Why a line is above the next one: the step and the two values that decide."""

    code: str
    above: int
    values: tuple[str, str]
    sentence: str


@dataclass(frozen=True)
class Ranked:
    """A line with its rank (shared ranks are equal) and why it is above the one below it."""

    rank: int
    line: Line
    reason: Reason | None


def _ratio(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else _NONE


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
    return 1 - _percentile(line) if line.sums.deals else _NONE


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
    return _NONE if found is None else found


def _sum(value: Callable[[Line], Fraction]) -> Callable[[Line, Tied], Fraction]:
    return lambda line, _: value(line)


def _told(shown: Callable[[Line], Shown]) -> Callable[[Line, Tied], Shown]:
    return lambda line, _: shown(line)


def _attendance(line: Line) -> Fraction:
    return Fraction(line.attended is not None and not line.attended.enough)


STEPS: dict[str, Step] = {
    step.code: step
    for step in [
        Step(
            "attendance",
            _sum(_attendance),
            _told(lambda line: "{}/{}".format(*line.attended or (0, 0))),
            "has played enough to be ranked: {0} against {1}",
        ),
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
Look = Callable[[], Meetings]


def rank(lines: Sequence[Line], steps: Sequence[str], look: Look = Meetings) -> list[Ranked]:
    """Rank from best to worst. Who is equal in every step shares a rank, listed by number.

    `look` finds the meetings, and is asked once, where a step needs them for somebody.
    """
    judge = _Judge(lines, [STEPS[code] for code in steps], look)
    ordered = sorted(lines, key=lambda line: (judge.key(line), line.number))
    ranked: list[Ranked] = []
    for index, line in enumerate(ordered):
        shared = index > 0 and judge.key(ordered[index - 1]) == judge.key(line)
        below = ordered[index + 1] if index + 1 < len(ordered) else None
        rank_ = ranked[-1].rank if shared else index + 1
        ranked.append(Ranked(rank_, line, judge.why(line, below) if below else None))
    return ranked


def why(
    above: int, below: int, lines: Sequence[Line], steps: Sequence[str], look: Look = Meetings
) -> Reason | None:
    """The first step in which two of the lines differ; None if they share the rank."""
    known = {line.number: line for line in lines}
    return _Judge(lines, [STEPS[code] for code in steps], look).why(known[above], known[below])


class _Judge:
    """Takes level groups apart, step by step, and remembers by what."""

    def __init__(self, lines: Sequence[Line], steps: Sequence[Step], look: Look) -> None:
        self._steps, self._look = steps, look
        self._met: Meetings | None = None
        self._ratios = {line.number: loss_ratio(line.sums) for line in lines}
        self._keys: dict[int, list[Fraction]] = {line.number: [] for line in lines}
        # By entry and step: among whom the step judged it.
        self._among: dict[tuple[int, int], Tied] = {}
        self._part(lines, 0)

    def key(self, line: Line) -> list[Fraction]:
        """Its values, step by step; shorter where it was alone before the last step."""
        return self._keys[line.number]

    def why(self, above: Line, below: Line) -> Reason | None:
        """The first step in which the two differ, and what of each it shows."""
        for at, (mine, theirs) in enumerate(zip(self.key(above), self.key(below), strict=False)):
            if mine != theirs:
                step, tied = self._steps[at], self._among[above.number, at]
                values = _apart(step.shown(above, tied), step.shown(below, tied))
                return Reason(step.code, below.number, values, step.sentence.format(*values))
        return None

    def _part(self, lines: Sequence[Line], at: int) -> None:
        if len(lines) < 2 or at == len(self._steps):
            return
        step = self._steps[at]
        tied = Tied(lines, self._meetings() if step.meets else Meetings(), self._ratios)
        values = {line.number: step.value(line, tied) for line in lines}
        for line in lines:
            self._keys[line.number].append(values[line.number])
            self._among[line.number, at] = tied
        by_value = sorted(lines, key=lambda line: values[line.number])
        for _, level in groupby(by_value, key=lambda line: values[line.number]):
            self._part(list(level), at + 1)

    def _meetings(self) -> Meetings:
        if self._met is None:
            self._met = self._look()
        return self._met


def _apart(mine: Shown, theirs: Shown) -> tuple[str, str]:
    """Two values as they are read: fractions with as many digits as tell them apart, four at least.

    >>> _apart(Fraction(1, 3), Fraction(1, 2)), _apart(Fraction(1, 3), Fraction(333333, 10**6))
    (('0.3333', '0.5000'), ('0.3333333', '0.3333330'))
    """
    if isinstance(mine, str) or isinstance(theirs, str):
        return str(mine), str(theirs)
    digits = 4
    while digits < 40 and _number(mine, digits) == _number(theirs, digits):
        digits += 1
    return _number(mine, digits), _number(theirs, digits)


def _number(value: Fraction, digits: int) -> str:
    if value == _NONE:
        return "none"
    # Rounded half to even in whole numbers: a float would lose what tells two apart.
    scaled = round(value * 10**digits)
    whole, part = divmod(abs(scaled), 10**digits)
    return f"{'-' if scaled < 0 else ''}{whole}.{part:0{digits}d}"
