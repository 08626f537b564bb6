"""Each reason's own two values give the order, and of no two rows may it be said both ways."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.formats.standings import (
    KNOCKOUT_STEPS,
    LEAGUE_STEPS,
    STEPS,
    UNEQUAL_STEPS,
    Line,
    rank,
    why,
)
from league.formats.tallying import UNIT, Sums

LINES = st.lists(
    st.builds(
        lambda losses, deals, firsts, place: (min(losses, deals), deals, min(firsts, deals), place),
        st.integers(0, 4),
        st.integers(0, 4),
        st.integers(0, 3),
        st.integers(0, 2),
    ),
    min_size=1,
    max_size=8,
).map(
    lambda rows: [
        Line(
            number,
            Sums(losses, losses, deals, firsts, deals * UNIT // 4, deals * 840, losses * 1001),
            place,
        )
        for number, (losses, deals, firsts, place) in enumerate(rows, 1)
    ]
)


@pytest.mark.parametrize("steps", [KNOCKOUT_STEPS, LEAGUE_STEPS, UNEQUAL_STEPS])
@given(lines=LINES)
def test_a_reason_holds_for_each_pair_of_rows_and_not_the_other_way(
    lines: list[Line], steps: tuple[str, ...]
) -> None:
    ranked = rank(lines, steps)
    for above, below in combinations(ranked, 2):
        reason = why(above.line, below.line, steps)
        if reason is None:
            assert above.rank == below.rank
            continue
        assert above.rank < below.rank
        assert STEPS[reason.code].value(above.line) < STEPS[reason.code].value(below.line)
        assert _better(reason.code, *reason.values)
        assert not _better(reason.code, *reversed(reason.values))


def _better(code: str, mine: str, theirs: str) -> bool:
    """Judge by the two shown values alone."""
    if code in ("first_places", "percentile"):
        return _read(mine) > _read(theirs)
    if code == "last_loss":
        return tuple(map(int, mine.split("-"))) < tuple(map(int, theirs.split("-")))
    return _read(mine, best=code == "place") < _read(theirs, best=code == "place")


def _read(shown: str, best: bool = False) -> Fraction:
    if shown in ("none", "in"):
        return Fraction(0 if best else 10**9)
    return Fraction(shown)


def test_who_is_equal_in_every_step_shares_the_rank_and_needs_no_reason() -> None:
    lines = [Line(1, Sums(chips=1)), Line(2, Sums(chips=1)), Line(3, Sums(chips=2))]
    assert [(row.rank, row.reason is None) for row in rank(lines, ["chips"])] == [
        (1, True),
        (1, False),
        (3, True),
    ]


def test_the_sentence_carries_both_values() -> None:
    reason = why(Line(1, Sums(chips=1)), Line(2, Sums(chips=2)), ["chips"])
    assert reason is not None
    assert reason.sentence == "fewer chips: 1 against 2"
    assert reason.above == 2
