"""Slots open competitions once each, whoever looks, and by the policies when nobody looked."""

from datetime import UTC, timedelta

import pytest

from config.kit import clock
from config.kit.names import BadNameError
from games.engine import RulesError
from games.errors import BadSeatsError, FirstNeedsPeopleError
from league.errors import BadSettingError, BadTimetableError
from league.models import Competition, Entry, Schedule, Slot
from league.services import competitions, schedules
from league.services.due import Due
from league.services.schedules import NewSchedule
from tests.league import cast
from tests.league.test_api import _api

pytestmark = pytest.mark.django_db(transaction=True)


def _schedule(**changed: object) -> Schedule:
    players = [player.pk for player in cast.house_bots(3)]
    template = {"settings": {"table_size": 3, "deals_per_table": 1}, "players": players}
    new = NewSchedule(
        **{  # type: ignore[arg-type]
            "name": "Nightly",
            "cron": "0 * * * *",
            "zone": "UTC",
            "template": template,
            **changed,
        }
    )
    return schedules.create(cast.club().pk, new)


def _stood_still(schedule: Schedule, hours: int) -> None:
    since = clock.now() - timedelta(hours=hours)
    Schedule.objects.filter(pk=schedule.pk).update(since=since, next_at=since)


def test_a_slot_opens_a_competition_with_the_players_of_the_template() -> None:
    _schedule(missed="run_all")
    assert not Competition.objects.exists()
    _stood_still(Schedule.objects.get(), 1)
    assert schedules.run_due() == 1
    competition = Competition.objects.get()
    assert competition.name == "Nightly"
    assert list(Entry.objects.order_by("number").values_list("number", flat=True)) == [1, 2, 3]
    assert competitions.start_overdue() == Due(house=True)
    competition.refresh_from_db()
    assert competition.state == Competition.State.RUNNING


def test_three_beats_at_once_open_a_slot_once() -> None:
    schedule = _schedule(missed="run_all")
    _stood_still(schedule, 3)
    opened = cast.at_once(schedules.run_due, 3)
    assert sorted(opened) == [0, 0, 3]
    assert Slot.objects.count() == 3
    assert Competition.objects.count() == 3
    assert schedules.run_due() == 0


@pytest.mark.parametrize(("missed", "opened"), [("skip", 0), ("run_once", 1), ("run_all", 2)])
def test_a_scheduler_stopped_over_two_slots_follows_the_policy(missed: str, opened: int) -> None:
    schedule = _schedule(missed=missed, cron=_past_minutes(90, 30))
    _stood_still(schedule, 2)
    assert schedules.run_due() == opened
    assert Slot.objects.count() == 2
    assert Slot.objects.filter(skipped=False).count() == opened
    schedule.refresh_from_db()
    assert schedule.next_at is not None
    assert schedule.next_at > clock.now()


def _past_minutes(*ago: int) -> str:
    moments = [clock.now().astimezone(UTC) - timedelta(minutes=minutes) for minutes in ago]
    hours = ",".join(str(moment.hour) for moment in moments)
    return f"{moments[0].minute} {hours} * * *"


def test_a_schedule_that_was_off_makes_up_for_nothing_when_it_is_on_again() -> None:
    schedule = _schedule(missed="run_all", cron=_past_minutes(90, 30))
    schedules.switch(schedule.pk, enabled=False, actor="player:1")
    _stood_still(schedule, 2)
    assert schedules.run_due() == 0
    schedules.switch(schedule.pk, enabled=True, actor="player:1")
    again = schedules.switch(schedule.pk, enabled=True, actor="player:1")
    assert schedules.run_due() == 0
    assert not Slot.objects.exists()
    assert again.next_at is not None
    assert again.next_at > clock.now()
    _stood_still(schedule, 2)  # what is missed from now on counts as ever
    assert schedules.run_due() == 2


def test_organisers_switch_a_schedule_off_and_on_over_the_api() -> None:
    oskari, _ = _api("Oskari")
    oskari.post("clubs", {"slug": "kulma", "name": "Kulma"})
    body = {"club": "kulma", "name": "Sauna", "cron": "0 * * * *", "zone": "UTC", "template": {}}
    one = f"schedules/{oskari.post('schedules', body).json()['id']}"
    aino, _ = _api("Aino")
    assert aino.post(f"{one}/disable", {}).status_code == 403
    assert oskari.post(f"{one}/disable", {}).json()["enabled"] is False
    assert oskari.post(f"{one}/enable", {}).json()["enabled"] is True
    assert oskari.post("schedules/999/enable", {}).json()["code"] == "schedule_not_found"


def test_seconds_are_allowed_and_a_template_may_start_later() -> None:
    schedule = _schedule(cron="*/10 * * * * *", missed="run_once")
    template = {**schedule.template, "starts_in_s": 60}
    Schedule.objects.filter(pk=schedule.pk).update(template=template)
    _stood_still(schedule, 0)
    Schedule.objects.update(since=clock.now() - timedelta(seconds=11))
    assert schedules.run_due() >= 1
    starts_at = Competition.objects.latest("pk").starts_at
    assert starts_at is not None
    assert timedelta(seconds=50) < starts_at - clock.now() <= timedelta(seconds=60)
    assert competitions.start_overdue() == Due()


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"cron": "x"}, BadTimetableError),
        ({"zone": "Moon/Sea"}, BadTimetableError),
        ({"template": {"players": [999]}}, BadSettingError),
        ({"template": {"players": "all"}}, BadSettingError),
        ({"template": {"surprise": 1}}, BadSettingError),
        ({"template": {"settings": {"table_size": 7}}}, BadSettingError),
        ({"template": {"name": 7}}, BadSettingError),
        ({"template": {"starts_at": "2027-01-01T00:00Z"}}, BadSettingError),
        ({"template": {"preset": "nope"}}, RulesError),
        ({"template": {"players": ["house:lowest"] * 201}}, BadSettingError),
        ({"template": {"players": ["house:nobody"]}}, BadSeatsError),
        ({"template": {"name": "a\u202eb"}}, BadNameError),
        ({"name": "two\nlines"}, BadNameError),
        (
            {"template": {"preset": "valepaska", "options": {"challenge_mode": "first"}}},
            FirstNeedsPeopleError,
        ),
    ],
)
def test_a_schedule_that_could_never_open_is_refused(
    changed: dict[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        _schedule(**changed)
    assert not Schedule.objects.exists()
    assert not Competition.objects.exists()


def test_a_competition_with_one_entry_is_void_when_it_should_start() -> None:
    competition = cast.cup(cast.house_bots(1))
    Competition.objects.update(starts_at=clock.now())
    assert competitions.start_overdue() == Due()
    competition.refresh_from_db()
    assert competition.state == Competition.State.VOID
