"""The calendar of a club: slots and starts, each with the zone's offset of its date."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from icalendar import Calendar

from config.kit import clock
from league.models import Club, Competition, Schedule
from league.queries import calendars
from tests.league import cast

pytestmark = pytest.mark.django_db(transaction=True)


def _calendar(**headers: str) -> Any:
    return Client().get("/api/v1/clubs/kallio/calendar.ics", headers=headers)


def test_a_slot_has_the_offset_of_its_date(monkeypatch: pytest.MonkeyPatch) -> None:
    club = cast.club()
    Schedule.objects.create(
        club=club, name="Iltakisa", cron="0 20 * * *", zone="Europe/Helsinki", template={}
    )
    monkeypatch.setattr(clock, "now", lambda: datetime(2027, 3, 26, tzinfo=UTC))
    found = calendars.events(club)
    assert len(found) == 90
    offsets = {event.at.date().isoformat(): event.at.utcoffset() for event in found}
    assert offsets["2027-03-27"] == timedelta(hours=2)
    assert offsets["2027-03-28"] == timedelta(hours=3)
    told = Calendar.from_ical(_calendar().content)
    starts = [one.get("dtstart").dt for one in told.walk("VEVENT")]
    assert [start.utcoffset() for start in starts[:3]] == [timedelta(hours=h) for h in (2, 2, 3)]
    assert {start.hour for start in starts} == {20}
    assert [str(one["tzid"]) for one in told.walk("VTIMEZONE")] == ["Europe/Helsinki"]


def test_starts_are_told_with_their_address_and_nothing_of_private_clubs() -> None:
    cup = cast.cup([])
    Competition.objects.filter(pk=cup.pk).update(starts_at=clock.now() + timedelta(days=2))
    answer = _calendar()
    assert answer["Content-Type"].startswith("text/calendar")
    (event,) = Calendar.from_ical(answer.content).walk("VEVENT")
    assert str(event["summary"]) == "Cup"
    assert str(event["url"]).endswith(f"/c/{cup.slug}/")
    assert _calendar(**{"If-None-Match": answer["ETag"]}).status_code == 304
    Club.objects.update(private=True)
    assert _calendar().json()["code"] == "club_not_found"
