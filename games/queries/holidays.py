"""Holidays: on which days a player's correspondence clocks stand still."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from games.models import Game, Holiday, Seat
from games.queries.clocks import Away

DAYS_A_YEAR: Final = 28
_DAY: Final = timedelta(days=1)


def away_of(game: Game, seats: Iterable[Seat]) -> Mapping[int, Sequence[Away]]:
    """When the players of a game are away, by player; nobody is where moves have no days."""
    if game.move_days is None or game.state != Game.State.PLAYING:
        return {}
    found: dict[int, list[Away]] = {}
    players = [seat.player_id for seat in seats if seat.player_id is not None]
    for holiday in Holiday.objects.filter(player__in=players).order_by("first"):
        found.setdefault(holiday.player_id, []).append(Away(*_span(holiday)))
    return found


def holidays(player_id: int) -> list[Holiday]:
    """A player's holidays, the first first."""
    return list(Holiday.objects.filter(player=player_id).order_by("first"))


def holidays_wire(player_id: int, today: date) -> dict[str, Any]:
    """A player's holidays, and how many days of this year are left to take."""
    rows = holidays(player_id)
    taken = sum(days_in(row.first, row.last, today.year) for row in rows)
    return {
        "holidays": [holiday_wire(row) for row in rows],
        "days_a_year": DAYS_A_YEAR,
        "days_left": max(0, DAYS_A_YEAR - taken),
    }


def holiday_wire(holiday: Holiday) -> dict[str, Any]:
    """One holiday as JSON."""
    return {"id": holiday.pk, "first": holiday.first, "last": holiday.last}


def days_in(first: date, last: date, year: int) -> int:
    """How many of these days, both included, lie in a year.

    >>> days_in(date(2026, 12, 30), date(2027, 1, 2), 2026)
    2
    """
    begins, ends = max(first, date(year, 1, 1)), min(last, date(year, 12, 31))
    return max(0, (ends - begins) // _DAY + 1)


def _span(holiday: Holiday) -> tuple[datetime, datetime]:
    return _midnight(holiday.first), _midnight(holiday.last + _DAY)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
