"""A knockout of house bots from the draw to the winner, alone and with many hands at once."""

import contextlib
from collections.abc import Callable

import pytest
from django.core.management import CommandError, call_command
from django.db import (
    IntegrityError,
    InternalError,
    OperationalError,
    connection,
    transaction,
)

from config.kit.leases import new_owner
from games.models import GameRecord
from league.models import Competition, Entry, LedgerRow, PenaltyTally, Round, Table
from league.queries.dashboards import dashboard
from league.queries.fingerprint import fingerprint
from league.queries.standings import standings
from league.queries.tables import TableView
from league.services import competitions, entries, house, ledger, rounds, tallies
from league.services.due import Due
from tests.league import cast

pytestmark = pytest.mark.django_db(transaction=True)


def _whole(competition: Competition) -> None:
    """What must hold of every finished knockout."""
    competition.refresh_from_db()
    assert competition.state == Competition.State.FINISHED
    assert ledger.first_broken(competition) is None
    assert tallies.recompute(competition.pk, write=False) == []
    keys = GameRecord.objects.filter(competition_ref=competition.pk).values_list(
        "table_ref", "deal_number", "redeal"
    )
    assert len(set(keys)) == len(keys)
    results = LedgerRow.objects.filter(competition=competition, kind="result.confirmed")
    played = Table.objects.filter(round__competition=competition, deals_planned__gt=0)
    assert results.count() == played.count()
    assert Entry.objects.filter(competition=competition, place=1).count() == 1
    assert not Entry.objects.filter(competition=competition, place=None).exists()


def test_nine_house_bots_at_tables_of_three_play_to_one_winner() -> None:
    competition = cast.cup(cast.house_bots(9))
    assert competitions.start(competition.pk) == Due(house=True)
    cast.play_all()
    _whole(competition)
    assert [r.tables.count() for r in Round.objects.order_by("number")] == [3, 1]
    places = list(Entry.objects.order_by("place").values_list("place", flat=True))
    assert places == [1, 2, 3, 4, 4, 4, 7, 7, 7]
    assert standings(competition)[0].entry.place == 1


@pytest.mark.parametrize("entries", [2, 3, 5, 7])
def test_odd_fields_end_too(entries: int) -> None:
    competition = cast.cup(cast.house_bots(entries), {"table_size": 2, "deals_per_table": 1})
    competitions.start(competition.pk)
    cast.play_all()
    _whole(competition)


def test_one_secret_gives_the_same_tournament() -> None:
    bots = cast.house_bots(7)
    club = cast.club()
    prints = []
    for seconds in (0.0, 5.0):
        competition = cast.cup(bots, club_=club)
        competitions.start(competition.pk)
        cast.play_all(seconds)
        prints.append(fingerprint(Competition.objects.get(pk=competition.pk)))
    assert prints[0] == prints[1]
    other = cast.cup(bots, club_=club, secret=bytes(32))
    competitions.start(other.pk)
    cast.play_all()
    assert fingerprint(Competition.objects.get(pk=other.pk)) != prints[0]


def test_two_workers_at_once_play_the_same_tournament_as_one() -> None:
    bots, club = cast.house_bots(12), cast.club()
    prints = []
    for workers in (1, 2):
        competition = cast.cup(bots, club_=club)
        competitions.start(competition.pk)
        for _ in range(100):
            results = cast.at_once(lambda: house.play_slice(new_owner(), 0.0), workers)
            if not any(result.house for result in results):
                break
        _whole(competition)
        prints.append(fingerprint(competition))
    assert prints[0] == prints[1]


def test_a_start_delivered_five_times_opens_one_round() -> None:
    competition = cast.cup(cast.house_bots(6))
    results = cast.at_once(lambda: competitions.start(competition.pk), 5)
    assert sorted(due.house for due in results) == [False] * 4 + [True]
    cast.at_once(lambda: rounds.open(competition.pk), 5)
    assert Round.objects.count() == 1


def test_a_round_opened_five_times_at_once_opens_once() -> None:
    competition = cast.cup(cast.house_bots(6))
    Competition.objects.filter(pk=competition.pk).update(state=Competition.State.RUNNING)
    results = cast.at_once(lambda: rounds.open(competition.pk), 5)
    assert sum(result == Due(house=True) for result in results) == 1
    assert Round.objects.count() == 1
    assert LedgerRow.objects.filter(kind="round.drawn").count() == 1


def test_slices_delivered_five_times_at_once_play_every_game_once() -> None:
    competition = cast.cup(cast.house_bots(12), {"deals_per_table": 1})
    competitions.start(competition.pk)
    for _ in range(50):
        results = cast.at_once(lambda: house.play_slice(new_owner(), 0.05), 5)
        assert not [result for result in results if isinstance(result, Exception)]
        if not any(result.house for result in results):
            break
    _whole(competition)


def test_a_slice_killed_before_it_stored_is_played_again_to_the_same_bytes() -> None:
    bots, club = cast.house_bots(6), cast.club()
    whole = cast.cup(bots, club_=club)
    competitions.start(whole.pk)
    cast.play_all()
    killed = cast.cup(bots, club_=club)
    competitions.start(killed.pk)
    claimed = house._claim("dead", True)
    assert claimed
    Table.objects.filter(lease_owner="dead").update(lease_until="2020-01-01T00:00Z")
    cast.play_all()
    _whole(killed)
    whole.refresh_from_db()
    killed.refresh_from_db()
    assert fingerprint(whole) == fingerprint(killed)


def test_a_slice_that_lost_its_lease_stores_nothing() -> None:
    competition = cast.cup(cast.house_bots(3))
    competitions.start(competition.pk)
    late = [house.play_table(view, lambda: None) for view in house._claim("late", True)]
    Table.objects.update(lease_until="2020-01-01T00:00Z")
    assert house._claim("early", True)
    assert house._store("late", late) == Due()
    assert not GameRecord.objects.exists()
    assert Table.objects.get().state == Table.State.WAITING


def test_what_a_slice_has_played_waits_for_a_database_that_goes_away_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    competition = cast.cup(cast.house_bots(6))
    competitions.start(competition.pk)
    play = house.play_table

    def cut(view: TableView, progressed: Callable[[], None]) -> house.HouseTable:
        played = play(view, progressed)
        with contextlib.suppress(OperationalError), connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        return played

    monkeypatch.setattr(house, "play_table", cut)
    house.play_slice("test", 60)
    assert Table.objects.filter(state="done").count() == 2
    monkeypatch.undo()
    cast.play_all()
    _whole(competition)


def test_a_table_that_died_twice_in_company_is_played_alone() -> None:
    competition = cast.cup(cast.house_bots(6))
    competitions.start(competition.pk)
    for _ in range(2):
        assert len(house._claim("dead", True)) == 2
        Table.objects.update(lease_until="2020-01-01T00:00Z")
    assert house._claim("busy with others", False) == []
    assert house.play_slice("third", seconds=60) == Due(house=True)
    assert Table.objects.filter(state="done").count() == 1
    cast.play_all()
    _whole(competition)


def test_a_table_that_kills_every_worker_is_quarantined_and_shown() -> None:
    competition = cast.cup(cast.house_bots(3))
    competitions.start(competition.pk)
    for _ in range(4):
        house._claim("dead", True)
        Table.objects.update(lease_until="2020-01-01T00:00Z")
    assert Table.objects.get().quarantine_reason == "attempts"
    assert house.play_slice("alive") == Due()
    assert dashboard(competition)["live"][0]["quarantined"] is True


def test_a_round_that_was_left_open_is_closed_by_the_sweep() -> None:
    competition = cast.cup(cast.house_bots(3))
    competitions.start(competition.pk)
    Table.objects.update(state="done", places=[[1], [2], [3]], due_at=None)
    assert rounds.close_overdue() == Due()
    competition.refresh_from_db()
    assert competition.state == Competition.State.FINISHED


def test_the_ledger_is_numbered_without_gaps_under_concurrent_appends() -> None:
    competition = cast.cup([])
    players = iter(cast.house_bots(8))
    results = cast.at_once(lambda: entries.enter(competition.pk, next(players).pk), 8)
    assert all(isinstance(result, Entry) for result in results)
    competition.refresh_from_db()
    assert list(LedgerRow.objects.order_by("seq").values_list("seq", flat=True)) == list(
        range(1, 10)
    )
    assert sorted(Entry.objects.values_list("number", flat=True)) == list(range(1, 9))
    assert ledger.first_broken(competition) is None


@pytest.mark.parametrize("change", ["UPDATE {} SET seq = 9", "DELETE FROM {}"])
def test_the_database_refuses_to_change_the_ledger(change: str) -> None:
    cast.cup([])
    refused = pytest.raises((InternalError, IntegrityError), match="append-only")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(change.format("league_ledgerrow"))


def test_recompute_finds_and_mends_a_tally_that_is_wrong() -> None:
    competition = cast.cup(cast.house_bots(3))
    competitions.start(competition.pk)
    cast.play_all()
    PenaltyTally.objects.filter(entry__number=2).update(chips=99)
    with pytest.raises(CommandError):
        call_command("recompute", "--check")
    call_command("recompute")
    call_command("recompute", "--check")
