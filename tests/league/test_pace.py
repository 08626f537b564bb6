"""How fast a competition goes and when it ends, by the newest results alone."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from league.models import Competition, LedgerRow
from league.queries import pace as pace_of
from league.queries.dashboards import progress
from league.queries.pace import pace
from league.services import competitions, ledger
from league.services.ledger import Fact
from tests.league import cast

pytestmark = pytest.mark.django_db(transaction=True)
STARTED = datetime(2026, 11, 30, 18, tzinfo=UTC)


def _running(*results: tuple[float, int]) -> Competition:
    """One with results so many minutes after the start, each of so many games."""
    competition = cast.cup(cast.house_bots(2))
    competition.state, competition.started_at = Competition.State.RUNNING, STARTED
    LedgerRow.objects.bulk_create(
        LedgerRow(
            competition=competition,
            seq=competition.ledger_seq + 1000 + number,
            kind=LedgerRow.Kind.RESULT_CONFIRMED,
            body={"deals": [[[1], [2]]] * games},
            at=STARTED + timedelta(minutes=minute),
            hash=b"",
        )
        for number, (minute, games) in enumerate(results)
    )
    return competition


def test_without_a_result_nothing_tells() -> None:
    competition = cast.cup(cast.house_bots(2))
    told = progress(competition)
    assert (told["games_a_minute"], told["ends_at"]) == (None, None)


def test_the_rate_counts_from_the_start_and_then_over_ten_minutes() -> None:
    early = _running((1, 20), (2, 20))
    assert pace(early, 60) == (20.0, STARTED + timedelta(minutes=2 + 3))


def test_what_lies_longer_back_is_forgotten() -> None:
    late = _running((1, 1000), (15, 30), (20, 20))
    assert pace(late, 50) == (5.0, STARTED + timedelta(minutes=30))


def test_what_is_over_has_a_rate_and_no_end() -> None:
    over = _running((1, 20))
    over.state = Competition.State.FINISHED
    assert pace(over, 0) == (20.0, None)


def test_results_of_whole_tables_count_their_games_and_typed_ones_are_one() -> None:
    competition = Competition.objects.get(pk=cast.cup(cast.house_bots(2)).pk)
    deals: dict[str, Any] = {"deals": [[[1], [2]], [[2], [1]]], "round": 1, "table": 1}
    facts = [Fact(LedgerRow.Kind.RESULT_CONFIRMED, {**deals, "version": 1})]
    facts += [Fact(LedgerRow.Kind.RESULT_CONFIRMED, {"deal": 1, "places": [[1], [2]]})]
    ledger.append(competition, facts)
    assert [games for _, games in pace_of._newest(competition)] == [1, 2]


def test_a_played_cup_tells_its_pace() -> None:

    competition = cast.cup(cast.house_bots(6))
    competitions.start(competition.pk)
    cast.play_all()
    told = progress(Competition.objects.get(pk=competition.pk))
    assert told["games_done"] == told["games_planned"]
    assert (told["games_a_minute"] or 0) > 0
    assert told["ends_at"] is None
