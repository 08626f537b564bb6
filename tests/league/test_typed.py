"""Results that people type in: reported, confirmed, disputed, ruled, corrected; never doubled."""

from typing import Any

import pytest

from games.models import Player
from league.errors import (
    BadResultError,
    NoDealError,
    NotAtTableError,
    ResultChangedError,
)
from league.formats.saying import Step
from league.models import Competition, DealResult, Entry, LedgerRow, PenaltyTally, Table
from league.services import competitions, confirming, entries, rounds, tallies, typed
from league.services.typed_tables import By, Where
from tests.league import cast

pytestmark = pytest.mark.django_db(transaction=True)
OSKARI = By(999, organiser=True)


@pytest.fixture(autouse=True)
def _oskari(db: None) -> None:
    Player.objects.create(pk=999, kind="person", name="Oskari", name_key="oskari")


def _night(people: int = 4, **settings: Any) -> Competition:
    new = competitions.NewCompetition(
        name="Monday",
        kind=Competition.Kind.LEAGUE,
        format="rounds",  # type: ignore[arg-type]
        settings={
            "entrants": "people",
            "results": "typed",
            "next_round": "by_hand",
            "deals_per_table": 2,
            "rounds": 2,
            **settings,
        },
    )
    competition = competitions.create(cast.club().pk, new)
    for number in range(people):
        entries.enter(competition.pk, cast.person(f"Player {number + 1}").pk)
    competitions.start(competition.pk)
    competition.refresh_from_db()
    return competition


def _by(number: int) -> By:
    return By(Entry.objects.get(number=number).player_id, organiser=False)


def _enter(
    competition: Competition, deal: int, said: list[list[int]], by: By, seen: int | None = None
) -> typed.Entered:
    return typed.enter(Where(competition.pk, 1, 1, deal), said, by, seen)


def _losses(competition: Competition) -> dict[int, int]:
    assert tallies.recompute(competition.pk, write=False) == []
    rows = PenaltyTally.objects.filter(competition=competition)
    return {n: losses for n, losses in rows.values_list("entry__number", "losses") if losses}


def test_an_organisers_entry_counts_at_once() -> None:
    night = _night()
    assert _enter(night, 1, [[1], [2], [3], [4]], OSKARI).step is Step.CONFIRM
    assert _losses(night) == {4: 1}


def test_a_players_entry_counts_when_a_second_seat_says_the_same() -> None:
    night = _night()
    said = [[1, 2, 3], [4]]
    assert _enter(night, 1, said, _by(1)).step is Step.REPORT
    assert _losses(night) == {}
    assert _enter(night, 1, said, _by(1)).step is Step.NOTHING
    assert _enter(night, 1, said, _by(2)).step is Step.CONFIRM
    assert _losses(night) == {4: 1}


def test_the_same_result_ten_times_is_one_row() -> None:
    night = _night()
    for _ in range(10):
        _enter(night, 1, [[1, 2, 3], [4]], OSKARI)
    assert LedgerRow.objects.filter(kind="result.confirmed").count() == 1


def test_two_people_at_once_with_different_results_one_wins_and_the_other_sees_both() -> None:
    night = _night()
    says = iter([[[1, 2, 3], [4]], [[4, 2, 3], [1]]])
    results = cast.at_once(lambda: _enter(night, 1, next(says), OSKARI), 2)
    refused = [result for result in results if isinstance(result, ResultChangedError)]
    assert len(refused) == 1
    assert refused[0].data["version"] == 1
    assert refused[0].data["yours"] != refused[0].data["places"]
    assert sum(_losses(night).values()) == 1


def test_a_contradiction_is_a_dispute_that_counts_nowhere_until_it_is_ruled() -> None:
    night = _night()
    _enter(night, 1, [[1, 2, 3], [4]], _by(1))
    _enter(night, 1, [[1, 2, 3], [4]], _by(2))
    assert _enter(night, 1, [[1, 2, 4], [3]], _by(4), seen=1).step is Step.DISPUTE
    assert _losses(night) == {}
    row = DealResult.objects.get()
    assert (row.places, row.contested) == ([[1, 2, 3], [4]], [[1, 2, 4], [3]])
    assert _enter(night, 1, [[1, 2, 4], [3]], OSKARI, seen=1).step is Step.RULE
    assert _losses(night) == {3: 1}


def test_who_has_not_seen_the_newest_version_is_told_of_it() -> None:
    night = _night()
    _enter(night, 1, [[1, 2, 3], [4]], OSKARI)
    with pytest.raises(ResultChangedError):
        _enter(night, 1, [[1, 2, 4], [3]], OSKARI)
    assert _enter(night, 1, [[1, 2, 4], [3]], OSKARI, seen=1).step is Step.AMEND
    with pytest.raises(ResultChangedError):
        _enter(night, 1, [[1, 3, 4], [2]], OSKARI, seen=1)
    assert _losses(night) == {3: 1}


def test_the_next_deal_from_another_seat_confirms_the_one_before() -> None:
    night = _night()
    _enter(night, 1, [[1, 2, 3], [4]], _by(1))
    _enter(night, 2, [[1, 2, 4], [3]], _by(2))
    states = DealResult.objects.order_by("deal").values_list("state", flat=True)
    assert list(states) == ["confirmed", "reported"]


def test_what_nobody_objects_to_is_confirmed_after_a_while() -> None:
    night = _night(auto_confirm_minutes=0)
    _enter(night, 1, [[1, 2, 3], [4]], _by(1))
    confirming.confirm_overdue()
    confirming.confirm_overdue()
    assert _losses(night) == {4: 1}


def test_the_table_is_done_with_its_last_deal_and_the_night_goes_on() -> None:
    night = _night()
    _enter(night, 1, [[1], [2], [3], [4]], OSKARI)
    _enter(night, 2, [[1], [2], [4], [3]], OSKARI)
    table = Table.objects.get()
    assert (table.state, table.places) == ("done", [[1], [2], [3, 4]])
    rounds.open(night.pk)
    for deal in (1, 2):
        typed.enter(Where(night.pk, 2, 1, deal), [[1, 2, 3], [4]], OSKARI)
    night.refresh_from_db()
    assert night.state == "finished"
    assert Entry.objects.get(number=4).place == 4


def test_an_abandoned_deal_counts_for_nobody_and_is_played_again() -> None:
    night = _night()
    assert _enter(night, 1, [], OSKARI).step is Step.CONFIRM
    assert _losses(night) == {}
    assert Table.objects.get().state == "playing"
    _enter(night, 1, [[1, 2, 3], [4]], OSKARI, seen=1)
    assert _losses(night) == {4: 1}


def test_a_result_typed_after_the_finish_corrects_and_finished_stays_finished() -> None:
    night = _night(rounds=1, deals_per_table=1)
    _enter(night, 1, [[1, 2, 3], [4]], OSKARI)
    night.refresh_from_db()
    assert night.state == "finished"
    _enter(night, 1, [[1, 2, 4], [3]], OSKARI, seen=1)
    night.refresh_from_db()
    assert night.state == "finished"
    assert _losses(night) == {3: 1}
    assert Entry.objects.get(number=3).place == 4


@pytest.mark.parametrize(
    "said",
    [
        [[1, 1], [2]],
        [[1], [], [2]],
        [[1]],
        [[1, 2], [77]],
        [[1, 2], [1]],
    ],
)
def test_no_deal_can_have_gone_like_that(said: list[list[int]]) -> None:
    with pytest.raises(BadResultError):
        _enter(_night(), 1, said, OSKARI)


def test_only_who_sits_there_enters_results_of_deals_that_there_are() -> None:
    night = _night()
    with pytest.raises(NotAtTableError):
        _enter(night, 1, [[1, 2, 3], [4]], By(12345, organiser=False))
    with pytest.raises(NoDealError):
        _enter(night, 3, [[1, 2, 3], [4]], OSKARI)


def test_letters_put_out_and_the_first_out_ends_it() -> None:
    night = _night(word="PA", rounds=0, first_out=True, deals_per_table=1)
    _enter(night, 1, [[1, 2, 3], [4]], OSKARI)
    rounds.open(night.pk)
    typed.enter(Where(night.pk, 2, 1, 1), [[1, 2, 3], [4]], OSKARI)
    night.refresh_from_db()
    assert night.state == "finished"
    assert PenaltyTally.objects.get(entry__number=4).chips == 2


def test_who_has_reached_the_limit_plays_on_without_taking_more() -> None:
    night = _night(limit=1, rounds=3, deals_per_table=1)
    for number in (1, 2, 3):
        typed.enter(Where(night.pk, number, 1, 1), [[1, 2, 3], [4]], OSKARI)
        rounds.open(night.pk)
    night.refresh_from_db()
    assert night.state == "finished"
    tally = PenaltyTally.objects.get(competition=night, entry__number=4)
    assert (tally.chips, tally.losses) == (1, 3)
    assert tallies.recompute(night.pk, write=False) == []
