"""Standings: entries ranked by ordered steps, each with its reason in two values.

The two values of a reason alone tell which is better, and the sentence turned round is false.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from league.formats.meetings import Meetings
from league.formats.steps import NONE, STEPS, Line, Shown, Step, Tied, loss_ratio

Look = Callable[[], Meetings]


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
    if value == NONE:
        return "none"
    # Rounded half to even in whole numbers: a float would lose what tells two apart.
    scaled = round(value * 10**digits)
    whole, part = divmod(abs(scaled), 10**digits)
    return f"{'-' if scaled < 0 else ''}{whole}.{part:0{digits}d}"
