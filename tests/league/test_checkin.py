"""Check-in: who says that he is there, from when on, and what becomes of who does not."""

from datetime import timedelta

import pytest

from config.kit import clock
from games.models import Player
from league.errors import CheckinClosedError, NotEnteredError
from league.models import Competition, Entry, LedgerRow, TableSeat
from league.services import checkin, competitions, entries, ledger, tallies
from league.services.checkin import By
from tests.league import cast
from tests.league.test_api import Api, _api

pytestmark = pytest.mark.django_db(transaction=True)


def _cup(players: list[Player], minutes_to_start: int | None, **settings: object) -> Competition:
    """A cup whose entries were made long ago, `minutes_to_start` before its start."""
    cup = cast.cup(players, {"entrants": "all", "results": "typed", **settings})
    starts_at = None
    if minutes_to_start is not None:
        starts_at = clock.now() + timedelta(minutes=minutes_to_start)
    Competition.objects.filter(pk=cup.pk).update(starts_at=starts_at)
    Entry.objects.filter(competition=cup).update(since=clock.now() - timedelta(days=1))
    cup.refresh_from_db()
    return cup


def _people(count: int) -> list[Player]:
    return [cast.person(f"Player {number}") for number in range(1, count + 1)]


def _states(cup: Competition) -> list[str]:
    rows = Entry.objects.filter(competition=cup).order_by("number")
    return list(rows.values_list("state", flat=True))


def test_it_opens_half_an_hour_before_the_start() -> None:
    (aino, _) = people = _people(2)
    cup = _cup(people, 31)
    with pytest.raises(CheckinClosedError) as refused:
        checkin.check_in(cup.pk, aino.pk, By.SELF)
    assert refused.value.data["opens_at"] is not None
    Competition.objects.filter(pk=cup.pk).update(starts_at=clock.now() + timedelta(minutes=29))
    assert checkin.check_in(cup.pk, aino.pk, By.SELF).checked_in_at is not None


def test_checked_in_ten_times_is_one_row() -> None:
    (aino, _) = people = _people(2)
    cup = _cup(people, 10)
    first = checkin.check_in(cup.pk, aino.pk, By.SELF, "player:1").checked_in_at
    for _ in range(9):
        assert checkin.check_in(cup.pk, aino.pk, By.CLUB, "player:2").checked_in_at == first
    (row,) = LedgerRow.objects.filter(competition=cup, kind="checkin")
    assert row.body == {"entry": 1, "player": aino.pk, "by": "self"}


def test_who_has_not_checked_in_is_withdrawn_before_the_draw_where_that_was_chosen() -> None:
    people = _people(4)
    cup = _cup(people, 0, no_show="withdraw")
    for player in people[:2]:
        checkin.check_in(cup.pk, player.pk, By.SELF)
    late = cast.person("Late")
    entries.enter(cup.pk, late.pk)  # who enters now is there
    competitions.start_overdue()
    assert _states(cup) == ["entered", "entered", "withdrawn", "withdrawn", "entered"]
    gone = LedgerRow.objects.filter(competition=cup, kind="entry.dropped").order_by("seq")
    assert [row.body["reason"] for row in gone] == ["no_show", "no_show"]
    assert tallies.recompute(cup.pk, write=False) == []


def test_the_place_of_a_no_show_goes_to_who_waits() -> None:
    people = _people(3)
    cup = _cup(people, 0, no_show="withdraw", capacity=2)
    for player in (people[0], people[2]):
        checkin.check_in(cup.pk, player.pk, By.SELF)
    competitions.start_overdue()
    assert _states(cup) == ["entered", "withdrawn", "entered"]


def test_nobody_is_late_for_a_start_before_its_time_or_without_one() -> None:
    for at, minutes in enumerate((20, None)):
        cup = cast.cup(
            _people(2),
            {"entrants": "all", "results": "typed", "no_show": "withdraw"},
            club_=cast.club(f"club-{at}"),
        )
        Entry.objects.filter(competition=cup).update(since=clock.now() - timedelta(days=1))
        if minutes is not None:
            starts_at = clock.now() + timedelta(minutes=minutes)
            Competition.objects.filter(pk=cup.pk).update(starts_at=starts_at)
        competitions.start(cup.pk)
        assert _states(cup) == ["entered", "entered"]


def test_with_nobody_there_it_is_called_off() -> None:
    cup = _cup(_people(3), 0, no_show="withdraw")
    competitions.start_overdue()
    cup.refresh_from_db()
    assert cup.state == "void"


def test_a_stand_in_plays_until_the_bot_appears() -> None:
    owner = cast.person("Owner")
    robo, other = cast.bots(2, owner)
    cup = _cup([robo, other, *cast.house_bots(1)], 0, entrants="bots", results="engine")
    checkin.check_in(cup.pk, other.pk, By.CALL)
    competitions.start_overdue()
    seats = TableSeat.objects.filter(round__competition=cup)
    assert [seat.stand_in for seat in seats.order_by("entry__number")] == [True, False, False]
    checkin.check_in(cup.pk, robo.pk, By.CALL)
    assert not seats.filter(stand_in=True).exists()
    assert ledger.first_broken(Competition.objects.get(pk=cup.pk)) is None


def test_who_is_not_in_or_comes_too_late_can_not_check_in() -> None:
    (aino, bertil) = people = _people(2)
    cup = _cup(people, 10)
    entries.withdraw(cup.pk, aino.pk)
    with pytest.raises(NotEnteredError):
        checkin.check_in(cup.pk, aino.pk, By.SELF)
    Competition.objects.filter(pk=cup.pk).update(state="void")
    with pytest.raises(CheckinClosedError):
        checkin.check_in(cup.pk, bertil.pk, By.SELF)


def test_who_comes_back_stands_behind_who_has_waited() -> None:
    people = _people(4)
    cup = cast.cup(people, {"entrants": "all", "results": "typed", "capacity": 2})
    entries.withdraw(cup.pk, people[2].pk)
    entries.enter(cup.pk, people[2].pk)
    entries.withdraw(cup.pk, people[0].pk)
    assert _states(cup) == ["withdrawn", "entered", "waiting", "entered"]


def test_over_the_api_by_oneself_or_by_the_club() -> None:
    oskari, _ = _api("Oskari")
    oskari.post("clubs", {"slug": "kulma", "name": "Kulma"})
    people = [_api(name) for name in ("Aino", "Bertil")]
    settings = {"entrants": "people", "results": "typed"}
    body = {"club": "kulma", "name": "Cup", "settings": settings, "starts_in_s": 600}
    cup = oskari.post("competitions", body).json()
    assert cup["checkin_opens_at"] is not None
    one = f"competitions/{cup['id']}/entries"
    for _, player in people:
        oskari.post(one, {"player": player.pk})
    (aino, a), (bertil, b) = people
    assert aino.post(f"{one}/{a.pk}/checkin", {}).json()["checked_in_at"] is not None
    assert bertil.post(f"{one}/{a.pk}/checkin", {}).status_code == 403
    assert Api().post(f"{one}/{a.pk}/checkin", {}).status_code == 401
    assert oskari.post(f"{one}/{b.pk}/checkin", {}).status_code == 200
    by = LedgerRow.objects.filter(kind="checkin").order_by("seq")
    assert [row.body["by"] for row in by] == ["self", "club"]
