"""What a club's calendar shows: the next slots of its schedules, starts of its competitions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from config.kit import clock
from league.formats.slots import Doubled, Missing, Timetable, between
from league.models import Club, Competition, Schedule

AHEAD: Final = timedelta(days=90)
BEHIND: Final = timedelta(days=30)
MOST: Final = 500


@dataclass(frozen=True)
class Event:
    """Something that begins; `at` is in the zone that it was planned in."""

    uid: str
    name: str
    at: datetime
    link: str = ""


def events(club: Club) -> list[Event]:
    """In order of time, of the last month and the next three."""
    now = clock.now()
    found = [*_slots(club, now), *_starts(club, now)]
    return sorted(found, key=lambda event: (event.at, event.uid))[:MOST]


def _slots(club: Club, now: datetime) -> Iterator[Event]:
    for row in Schedule.objects.filter(club=club, enabled=True).order_by("pk"):
        timetable = Timetable(row.cron, row.zone, Missing(row.missing), Doubled(row.doubled))
        for number, slot in enumerate(between(timetable, now, now + AHEAD)):
            if number >= MOST:
                break
            if slot.skipped:
                continue
            at = slot.due_at.astimezone(ZoneInfo(row.zone))
            yield Event(f"schedule-{row.pk}-{slot.due_at:%Y%m%dT%H%M%SZ}", row.name, at)


def _starts(club: Club, now: datetime) -> Iterator[Event]:
    rows = Competition.objects.filter(
        club=club, rehearsal=False, starts_at__gte=now - BEHIND, starts_at__lte=now + AHEAD
    ).exclude(state=Competition.State.VOID)
    for row in rows.order_by("starts_at")[:MOST]:
        assert row.starts_at is not None
        at = row.starts_at.astimezone(ZoneInfo(club.zone))
        yield Event(f"competition-{row.pk}", row.name, at, f"/c/{row.slug}/")
