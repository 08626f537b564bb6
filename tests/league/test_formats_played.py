"""Every format played to its end by house bots: ledger, tallies and places agree."""

import pytest

from league.formats.registry import FORMATS
from league.models import Competition, Entry, LedgerRow, PenaltyTally, Round
from league.services import competitions, entries, ledger, rounds, tallies
from league.services.competitions import NewCompetition
from league.services.due import Due
from tests.league import cast

pytestmark = pytest.mark.django_db(transaction=True)


def _event(format: str, people: int, **settings: object) -> Competition:
    new = NewCompetition(
        name="Event",
        format=format,  # type: ignore[arg-type]
        settings={"table_size": 4, "deals_per_table": 1, **settings},
        secret=cast.SECRET,
    )
    competition = competitions.create(cast.club(format.replace("_", "-")).pk, new)
    for player in cast.house_bots(people):
        entries.enter(competition.pk, player.pk)
    competitions.start(competition.pk)
    return competition


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("people", [2, 3, 5, 6, 7, 11, 13, 29])
def test_it_is_played_to_the_end_and_the_tallies_are_what_the_ledger_says(
    format: str, people: int
) -> None:
    competition = _event(format, people)
    cast.play_all()
    competition.refresh_from_db()
    assert competition.state == Competition.State.FINISHED
    assert tallies.recompute(competition.pk, write=False) == []
    assert ledger.first_broken(competition) is None
    places = list(Entry.objects.filter(competition=competition).values_list("place", flat=True))
    assert None not in places
    assert places.count(1) >= 1
    last = LedgerRow.objects.filter(competition=competition).latest("seq")
    assert last.body["state"] == "finished"


def test_rounds_are_drawn_by_hand_where_that_was_chosen() -> None:
    competition = _event("rounds", 8, rounds=2, next_round="by_hand")
    cast.play_all()
    assert Round.objects.filter(competition=competition).count() == 1

    assert rounds.open(competition.pk) != Due()
    assert rounds.open(competition.pk) == Due()
    cast.play_all()
    competition.refresh_from_db()
    assert competition.state == Competition.State.FINISHED


def test_five_calls_to_open_a_round_at_once_open_one() -> None:
    competition = _event("rounds", 8, rounds=3, next_round="by_hand")
    cast.play_all()

    cast.at_once(lambda: rounds.open(competition.pk), 5)
    assert Round.objects.filter(competition=competition).count() == 2


def test_bots_that_are_out_play_on_without_chips_and_tallies_agree() -> None:
    competition = _event("rounds", 8, rounds=4, limit=1)
    cast.play_all()
    competition.refresh_from_db()
    assert competition.state == Competition.State.FINISHED
    chips = PenaltyTally.objects.filter(competition=competition).values_list("chips", flat=True)
    assert max(chips) == 1
    assert tallies.recompute(competition.pk, write=False) == []
