"""The times of a schedule: cron lines over local wall time, DST changes, slots that were missed.

Pure: every moment is given. A slot is a local wall time and its fold; `due_at` is the instant.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

# A slot seen within this time was not missed: the sweep looks every two seconds.
GRACE = timedelta(seconds=60)
_DAY = timedelta(hours=25)


class Missing(StrEnum):
    """What becomes of a local time that a DST change leaves out."""

    SKIP = "skip"
    AFTER = "after"  # at the first moment after the gap


class Doubled(StrEnum):
    """Which of two equal local times counts."""

    FIRST = "first"
    SECOND = "second"
    BOTH = "both"


class Missed(StrEnum):
    """What becomes of slots that passed while nobody looked."""

    SKIP = "skip"
    RUN_ONCE = "run_once"
    RUN_ALL = "run_all"


@dataclass(frozen=True)
class Timetable:
    """A schedule's times. `cron` has five fields, or six with seconds first."""

    cron: str
    zone: str
    missing: Missing = Missing.AFTER
    doubled: Doubled = Doubled.FIRST


@dataclass(frozen=True, order=True)
class SlotTime:
    """A slot; `skipped` is a local time that does not exist and is not made up for."""

    due_at: datetime
    local: str
    fold: int = 0
    skipped: bool = False


@dataclass(frozen=True)
class Verdict:
    """A slot that is due, and whether it opens."""

    slot: SlotTime
    opens: bool


def check(timetable: Timetable) -> str | None:
    """What is wrong with it, as a code: `cron`, `zone`, or `never` if it has no slot; or None."""
    try:
        times = CronSim(timetable.cron, datetime(2026, 1, 1))
    except CronSimError:
        return "cron"
    try:
        ZoneInfo(timetable.zone)
    except (KeyError, ValueError, OSError):
        return "zone"
    return None if next(times, None) else "never"


def between(timetable: Timetable, after: datetime, until: datetime) -> Iterator[SlotTime]:
    """Slots with `after` < due_at <= `until`, in order of due_at."""
    waiting: list[SlotTime] = []
    moved = _moved(timetable.zone, after, until)
    for wall in _walls(timetable, after - moved, until + moved):
        waiting.sort()
        while waiting and waiting[0].due_at < _utc(wall, timetable.zone, 0) - moved:
            slot = waiting.pop(0)
            if after < slot.due_at <= until:
                yield slot
        waiting += _slots(wall, timetable)
    yield from (slot for slot in sorted(waiting) if after < slot.due_at <= until)


def following(timetable: Timetable, after: datetime) -> datetime | None:
    """When the next slot that is not skipped is due, or None if there is none for years."""
    reach = timedelta(days=2)
    while reach < timedelta(days=366 * 9):
        for slot in between(timetable, after, after + reach):
            if not slot.skipped:
                return slot.due_at
        reach *= 8
    return None


def judge(due: Sequence[SlotTime], now: datetime, missed: Missed) -> list[Verdict]:
    """Say which slots open. `due` is in order and not after `now`.

    One within `GRACE` opens. Of older ones: none, all, or the newest unless one within grace
    stands for it.
    """
    real = [slot for slot in due if not slot.skipped]
    late = [slot for slot in real if slot.due_at < now - GRACE]
    opens = set(real) - set(late)
    if missed is Missed.RUN_ALL:
        opens |= set(late)
    elif missed is Missed.RUN_ONCE and not opens:
        opens |= set(late[-1:])
    return [Verdict(slot, slot in opens) for slot in due]


def _moved(zone: str, after: datetime, until: datetime) -> timedelta:
    # By how much the clocks move about that time: so much may wall times be out of order.
    moments = [end + step for end in (after, until) for step in (-_DAY, timedelta(0), _DAY)]
    offsets = [moment.astimezone(ZoneInfo(zone)).utcoffset() or timedelta(0) for moment in moments]
    return max(offsets) - min(offsets)


def _walls(timetable: Timetable, after: datetime, until: datetime) -> Iterator[datetime]:
    zone = ZoneInfo(timetable.zone)
    start = after.astimezone(zone).replace(tzinfo=None)
    end = until.astimezone(zone).replace(tzinfo=None)
    for wall in CronSim(timetable.cron, start):
        if wall > end:
            return
        yield wall


def _slots(wall: datetime, timetable: Timetable) -> list[SlotTime]:
    first, second = (_utc(wall, timetable.zone, fold) for fold in (0, 1))
    local = wall.isoformat(timespec="seconds").removesuffix(":00")
    if first == second:
        return [SlotTime(first, local)]
    if second < first:  # the clocks skip it: what the two folds mean lies around the gap
        after = _gap_end(wall, timetable.zone)
        return [SlotTime(after, local, 0, skipped=timetable.missing is Missing.SKIP)]
    folds = {Doubled.FIRST: [0], Doubled.SECOND: [1], Doubled.BOTH: [0, 1]}[timetable.doubled]
    return [SlotTime((first, second)[fold], local, fold) for fold in folds]


def _gap_end(wall: datetime, zone: str) -> datetime:
    # In a gap, fold 1 reads the wall time with the offset after it, fold 0 with that before:
    # the change lies between the two instants, found by halving.
    low, high = _utc(wall, zone, 1), _utc(wall, zone, 0)
    before = low.astimezone(ZoneInfo(zone)).utcoffset()
    while high - low > timedelta(seconds=1):
        middle = low + (high - low) // 2
        if middle.astimezone(ZoneInfo(zone)).utcoffset() == before:
            low = middle
        else:
            high = middle
    return high.replace(microsecond=0)


def _utc(wall: datetime, zone: str, fold: int) -> datetime:
    return wall.replace(tzinfo=ZoneInfo(zone), fold=fold).astimezone(UTC)
