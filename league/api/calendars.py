"""The calendar of a club as a file that calendars subscribe to (iCalendar)."""

from __future__ import annotations

from datetime import UTC, timedelta
from urllib.parse import urljoin

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from icalendar import Calendar, Event, vDatetime
from rest_framework.request import Request

from config.kit import etag
from config.kit.operation import Operation
from league import polite
from league.api.clubs import viewer_id
from league.queries import calendars, visible

TYPE = "text/calendar"
EXAMPLE = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Housuliiga//1//EN\r\nBEGIN:VEVENT\r\n"
    "SUMMARY:Kulman kymppi\r\nDTSTART;TZID=Europe/Helsinki:20261129T190000\r\n"
    "UID:competition-7@example.org\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


class ClubCalendar(Operation):
    """`/clubs/{slug}/calendar.ics`"""

    @extend_schema(
        operation_id="get_calendar",
        summary="Subscribe to a club's calendar",
        description=(
            "The next slots of its schedules and the starts of its competitions, each in the zone "
            "that it was planned in, whose offsets of those dates stand in the file."
        ),
        tags=["clubs"],
        responses={(200, TYPE): OpenApiTypes.STR},
        examples=[OpenApiExample("calendar", EXAMPLE, response_only=True, media_type=TYPE)],
        auth=[],
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """The calendar."""
        club = visible.club(slug, viewer_id(request))
        body = _written(club.name, calendars.events(club))
        if club.polite:
            body = polite.text(body.decode()).encode()
        return etag.answer_bytes(request, body, f"{TYPE}; charset=utf-8")


def _written(name: str, events: list[calendars.Event]) -> bytes:
    calendar = Calendar()
    calendar.add("prodid", "-//Housuliiga//1//EN")
    calendar.add("version", "2.0")
    calendar.add("name", name)
    host = urljoin(settings.PUBLIC_URL or "http://housuliiga/", "/")
    for event in events:
        told = Event()
        told.add("uid", f"{event.uid}@{host.split('/')[2]}")
        told.add("summary", event.name)
        told.add("dtstart", event.at)
        told.add("duration", timedelta(hours=2))
        # The same file for the same plan: no moment of writing.
        told["dtstamp"] = vDatetime(event.at.astimezone(UTC))
        if event.link:
            told.add("url", urljoin(host, event.link))
        calendar.add_component(told)
    calendar.add_missing_timezones()
    return bytes(calendar.to_ical())
