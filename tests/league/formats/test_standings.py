"""Each reason's own two values give the order, and of no two rows may it be said both ways."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.formats.field import Places
from league.formats.meetings import Meetings, meetings_of
from league.formats.standings import rank, why
from league.formats.steps import KNOCKOUT_STEPS, LEAGUE_STEPS, STEPS, UNEQUAL_STEPS, Line
from league.formats.tallying import UNIT, Sums

ENTRIES = 6
ROWS = st.lists(
    st.builds(
        lambda losses, deals, firsts, place: (min(losses, deals), deals, min(firsts, deals), place),
        st.integers(0, 4),
        st.integers(0, 4),
        st.integers(0, 3),
        st.integers(0, 2),
    ),
    min_size=1,
    max_size=ENTRIES,
)
DEALS = st.lists(
    st.permutations(range(1, ENTRIES + 1)).map(
        lambda order: tuple((number,) for number in order[: 2 + order[0] % 3])
    ),
    max_size=8,
)


def _lines(rows: list[tuple[int, int, int, int]]) -> list[Line]:
    return [
        Line(
            number,
            Sums(losses, losses, deals, firsts, deals * UNIT // 4, deals * 840, losses * 1001),
            place,
        )
        for number, (losses, deals, firsts, place) in enumerate(rows, 1)
    ]


@pytest.mark.parametrize("steps", [KNOCKOUT_STEPS, LEAGUE_STEPS, UNEQUAL_STEPS, ("direct",)])
@given(rows=ROWS, deals=DEALS)
def test_a_reason_holds_for_each_pair_of_rows_and_not_the_other_way(
    rows: list[tuple[int, int, int, int]], deals: list[Places], steps: tuple[str, ...]
) -> None:
    lines = _lines(rows)
    here = {line.number for line in lines}
    met = meetings_of(d for d in deals if {n for group in d for n in group} <= here)
    ranked = rank(lines, steps, lambda: met)
    for above, below in combinations(ranked, 2):
        reason = why(above.line.number, below.line.number, lines, steps, lambda: met)
        if reason is None:
            assert above.rank == below.rank
            continue
        assert above.rank < below.rank
        assert _better(reason.code, *reason.values)
        assert not _better(reason.code, *reversed(reason.values))
        turned = STEPS[reason.code].sentence.format(*reversed(reason.values))
        assert turned != reason.sentence


def _better(code: str, mine: str, theirs: str) -> bool:
    """Judge by the two shown values alone."""
    if code in ("first_places", "percentile", "direct"):
        return _read(mine, worst=-1) > _read(theirs, worst=-1)
    if code == "last_loss":
        return tuple(map(int, mine.split("-"))) < tuple(map(int, theirs.split("-")))
    return _read(mine, worst=10**9) < _read(theirs, worst=10**9)


def _read(shown: str, worst: int) -> Fraction:
    if shown in ("none", "in"):
        return Fraction(0 if shown == "in" else worst)
    over, _, under = shown.partition("/")
    return Fraction(over) / Fraction(under or "1")


def test_who_was_ahead_among_those_who_are_level_comes_first_where_all_have_met() -> None:
    lines = [Line(number, Sums(chips=1, deals=2)) for number in (1, 2, 3)]
    met = meetings_of([((2,), (1,)), ((2,), (3,)), ((1,), (3,)), ((3,), (1,))])
    ranked = rank(lines, ("chips", "direct"), lambda: met)
    assert [row.line.number for row in ranked] == [2, 1, 3]
    assert ranked[0].reason is not None
    assert ranked[0].reason.values == ("2/2", "1/3")


def test_where_one_pair_has_not_met_the_result_among_the_level_says_nothing() -> None:
    lines = [Line(number, Sums(chips=1, deals=2)) for number in (1, 2, 3)]
    met = meetings_of([((2,), (1,)), ((2,), (3,))])
    assert {row.rank for row in rank(lines, ("chips", "direct"), lambda: met)} == {1}


def test_who_met_the_stronger_comes_first() -> None:
    lines = [Line(n, Sums(losses=n // 3, deals=2, fair_losses=UNIT)) for n in (1, 2, 3, 6)]
    met = meetings_of([((1,), (6,)), ((2,), (3,))])
    ranked = rank(lines, ("loss_rate", "meeting_strength"), lambda: met)
    assert [row.line.number for row in ranked] == [2, 1, 3, 6]
    assert ranked[0].reason is not None
    assert ranked[0].reason.values == ("1.0000", "2.0000")


def test_two_values_that_lie_close_are_shown_with_as_many_digits_as_tell_them_apart() -> None:
    lines = [
        Line(1, Sums(losses=99_999, deals=400_000, fair_losses=100_000 * UNIT)),
        Line(2, Sums(losses=100_000, deals=400_000, fair_losses=100_001 * UNIT)),
    ]
    (first, _) = rank(lines, ("loss_ratio",))
    assert first.reason is not None
    assert first.reason.values == ("0.9999900000", "0.9999900001")


def test_meetings_are_looked_for_only_where_somebody_is_level() -> None:
    def look() -> Meetings:
        raise AssertionError("nobody is level")

    lines = [Line(number, Sums(chips=number)) for number in range(5)]
    assert [row.rank for row in rank(lines, LEAGUE_STEPS, look)] == [1, 2, 3, 4, 5]


def test_who_is_equal_in_every_step_shares_the_rank_and_needs_no_reason() -> None:
    lines = [Line(1, Sums(chips=1)), Line(2, Sums(chips=1)), Line(3, Sums(chips=2))]
    assert [(row.rank, row.reason is None) for row in rank(lines, ["chips"])] == [
        (1, True),
        (1, False),
        (3, True),
    ]


def test_the_sentence_carries_both_values() -> None:
    lines = [Line(1, Sums(chips=1)), Line(2, Sums(chips=2))]
    reason = why(1, 2, lines, ["chips"])
    assert reason is not None
    assert reason.sentence == "fewer chips: 1 against 2"
    assert reason.above == 2
