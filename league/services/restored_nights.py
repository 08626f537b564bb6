"""The nights of a document, made again with who was there; older documents have none."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from config.kit import names
from league.models import Attendance, Competition, Entry, Night
from league.services.restored_records import dates

Wire = Mapping[str, Any]


def make(competition: Competition, document: Wire, entries: Mapping[int, Entry]) -> None:
    """Make them; `entries` by number."""
    for told in document.get("nights", ()):
        night = Night.objects.create(
            competition=competition,
            day=date.fromisoformat(told["day"]),
            place=names.checked(told["place"], 120) if told["place"] else "",
            **{name: told[name] for name in ("number", "rounds", "online", "state")},
            **dates(told, "starts_at", "opened_at", "closed_at", "created_at"),
        )
        Attendance.objects.bulk_create(
            Attendance(
                night=night,
                entry=entries[said["entry"]],
                state=said["state"],
                guest=said["guest"],
                **dates(said, "until", "here_at"),
            )
            for said in told["attendances"]
        )
