"""The nights of a competition as its document has them: all but the clock of the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from league.models import Attendance, Competition
from league.queries import nights

Wire = dict[str, Any]


def wires(competition: Competition) -> Iterator[Wire]:
    """Each night with who was there, by entry number."""
    said: dict[int, list[Wire]] = {}
    rows = Attendance.objects.filter(night__competition=competition).select_related("entry")
    for row in rows.order_by("entry__number"):
        said.setdefault(row.night_id, []).append(
            {
                "entry": row.entry.number,
                "state": row.state,
                "until": row.until,
                "here_at": row.here_at,
                "guest": row.guest,
            }
        )
    for night in nights.of(competition):
        yield {
            "number": night.number,
            "day": night.day.isoformat(),
            "starts_at": night.starts_at,
            "place": night.place,
            "rounds": night.rounds,
            "online": night.online,
            "state": night.state,
            "opened_at": night.opened_at,
            "closed_at": night.closed_at,
            "created_at": night.created_at,
            "attendances": said.get(night.pk, []),
        }
