"""Nights of a league and who is there: what a draw and the pages ask."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from league.errors import NightNotFoundError
from league.models import Attendance, Competition, Entry, Night, Round

State = Attendance.State


@dataclass(frozen=True)
class Gathered:
    """An open night and who is seated: entry numbers of who is there, `late` those whose seat is
    kept."""

    night: Night
    there: tuple[int, ...]
    late: tuple[int, ...]


def of(competition: Competition) -> QuerySet[Night]:
    """All nights, the first one first."""
    return Night.objects.filter(competition=competition).order_by("number")


def one(competition: Competition, number: int) -> Night:
    """A night by number. Raises `NightNotFoundError`."""
    night = of(competition).filter(number=number).first()
    if night is None:
        raise NightNotFoundError("There is no such night.", night=number)
    night.competition = competition
    return night


def current(competition: Competition) -> Night | None:
    """The night that is open, else the next one, else the last."""
    nights = list(of(competition).exclude(state=Night.State.OFF))
    for state in (Night.State.OPEN, Night.State.PLANNED):
        found = [night for night in nights if night.state == state]
        if found:
            return min(found, key=lambda night: (night.starts_at, night.number))
    return max(nights, key=lambda night: (night.starts_at, night.number), default=None)


def gathered(competition: Competition, now: datetime) -> Gathered | None:
    """Who is to be seated on the open night; None while no night is open."""
    night = of(competition).filter(state=Night.State.OPEN).first()
    if night is None:
        return None
    rows = Attendance.objects.filter(
        night=night, state__in=[State.HERE, State.LATE], entry__state=Entry.State.ENTERED
    )
    seated = rows.select_related("entry")
    kept = [row for row in seated if row.state == State.HERE or _kept(row, now)]
    late = sorted(row.entry.number for row in kept if row.state == State.LATE)
    return Gathered(night, tuple(sorted(row.entry.number for row in kept)), tuple(late))


def rounds_of(night: Night) -> list[Round]:
    """Its rounds that stand, by number."""
    rounds = Round.objects.filter(competition=night.competition_id, draw__night=night.number)
    return list(rounds.exclude(state=Round.State.VOID).order_by("number"))


def _kept(row: Attendance, now: datetime) -> bool:
    return row.until is None or row.until > now
