"""Standings: ordered steps over the tallies' sums, each with the reason in two values.

Source: competitions.md, "Standings order". A step is a small pure object: a code, a value that
is better when smaller, and a sentence. Steps that need more than sums are not here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from league.formats.tallying import UNIT, Sums

# Nothing to judge by ranks behind whoever has something.
_NONE = Fraction(10**9)


@dataclass(frozen=True)
class Line:
    """One entry to rank. `place` is its final place in the format, 0 while it is in."""

    number: int
    sums: Sums
    place: int = 0


@dataclass(frozen=True)
class Step:
    """One comparison: `value` is better when smaller, `shown` is what people read of it."""

    code: str
    value: Callable[[Line], Fraction]
    shown: Callable[[Line], str]
    sentence: str


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


def _loss_ratio(line: Line) -> Fraction:
    return _ratio(line.sums.losses * UNIT, line.sums.fair_losses)


def _loss_index(line: Line) -> Fraction:
    return line.sums.losses - Fraction(line.sums.fair_losses, UNIT)


def _loss_rate(line: Line) -> Fraction:
    return _ratio(line.sums.losses, line.sums.deals)


def _worse_percentile(line: Line) -> Fraction:
    return 1 - Fraction(line.sums.percentiles, UNIT * line.sums.deals) if line.sums.deals else _NONE


def _number(value: Fraction) -> str:
    return "none" if value == _NONE else f"{float(value):.4f}"


STEPS: dict[str, Step] = {
    step.code: step
    for step in [
        Step(
            "place",
            lambda line: Fraction(line.place),
            lambda line: str(line.place or "in"),
            "further in the competition: place {0} against {1}",
        ),
        Step(
            "chips",
            lambda line: Fraction(line.sums.chips),
            lambda line: str(line.sums.chips),
            "fewer chips: {0} against {1}",
        ),
        Step(
            "loss_ratio",
            _loss_ratio,
            lambda line: _number(_loss_ratio(line)),
            "fewer losses for the deals played: ratio {0} against {1}",
        ),
        Step(
            "loss_index",
            _loss_index,
            lambda line: _number(_loss_index(line)),
            "fewer losses than expected: index {0} against {1}",
        ),
        Step(
            "loss_rate",
            _loss_rate,
            lambda line: f"{line.sums.losses}/{line.sums.deals}",
            "a lower loss rate: {0} against {1}",
        ),
        Step(
            "first_places",
            lambda line: Fraction(-line.sums.first_places),
            lambda line: str(line.sums.first_places),
            "more first places: {0} against {1}",
        ),
        Step(
            "percentile",
            _worse_percentile,
            lambda line: _number(1 - _worse_percentile(line)) if line.sums.deals else "none",
            "better places on the whole: {0} against {1}",
        ),
        Step(
            "last_loss",
            lambda line: Fraction(line.sums.last_loss),
            lambda line: "-".join(map(str, divmod(line.sums.last_loss, 1000))),
            "the last loss was longer ago: round and deal {0} against {1}",
        ),
    ]
}
KNOCKOUT_STEPS = ("place", "chips", "loss_ratio", "first_places", "percentile", "last_loss")
LEAGUE_STEPS = ("chips", "loss_index", "loss_rate", "first_places", "percentile", "last_loss")
UNEQUAL_STEPS = ("loss_ratio", *LEAGUE_STEPS[1:])


def rank(lines: Sequence[Line], steps: Sequence[str]) -> list[Ranked]:
    """Rank from best to worst. Who is equal in every step shares a rank, listed by number."""
    chosen = [STEPS[code] for code in steps]
    ordered = sorted(lines, key=lambda line: (*(s.value(line) for s in chosen), line.number))
    ranked: list[Ranked] = []
    for index, line in enumerate(ordered):
        shared = index > 0 and why(ordered[index - 1], line, steps) is None
        below = ordered[index + 1] if index + 1 < len(ordered) else None
        ranked.append(
            Ranked(
                rank=ranked[-1].rank if shared else index + 1,
                line=line,
                reason=why(line, below, steps) if below else None,
            )
        )
    return ranked


def why(above: Line, below: Line, steps: Sequence[str]) -> Reason | None:
    """The first step in which the two differ; None if they share the rank."""
    for code in steps:
        step = STEPS[code]
        if step.value(above) != step.value(below):
            values = (step.shown(above), step.shown(below))
            return Reason(code, below.number, values, step.sentence.format(*values))
    return None
