"""When the nights of a series are: the same wall time in the club's zone, week after week.

A time that a change of clocks leaves out comes as much later; of two equal ones it is the first.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo


class NightTime(NamedTuple):
    """The date of a night in its zone, and the moment it begins."""

    day: date
    starts_at: datetime


def series(first: datetime, zone: str, count: int, every_days: int = 7) -> Iterator[NightTime]:
    """`count` nights from `first`, a wall time without zone.

    >>> [t.starts_at.hour for t in series(datetime(2027, 3, 22, 19), "Europe/Helsinki", 2)]
    [17, 16]
    """
    for at in range(count):
        yield night_at(first + timedelta(days=at * every_days), zone)


def night_at(wall: datetime, zone: str) -> NightTime:
    """One night at a wall time.

    >>> str(night_at(datetime(2027, 3, 28, 3, 30), "Europe/Helsinki").starts_at)
    '2027-03-28 01:30:00+00:00'
    """
    return NightTime(wall.date(), wall.replace(tzinfo=ZoneInfo(zone), fold=0).astimezone(UTC))


def near(starts_at: datetime, clock: time, zone: str) -> datetime:
    """The moment at which a clock in the zone shows `clock` first after twelve hours before a
    night begins: 00:30 of a night from 20:00 is past midnight.

    >>> start = datetime(2027, 1, 4, 18, tzinfo=UTC)
    >>> str(near(start, time(0, 30), "Europe/Helsinki"))
    '2027-01-04 22:30:00+00:00'
    """
    begins = starts_at.astimezone(ZoneInfo(zone)) - timedelta(hours=12)
    for day in (begins.date(), begins.date() + timedelta(days=1)):
        wall = datetime.combine(day, clock)
        if wall >= begins.replace(tzinfo=None):
            break
    return night_at(wall, zone).starts_at
