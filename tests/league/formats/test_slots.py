"""Slots over DST changes (guarantees R6) and over a scheduler that stood still."""

from datetime import UTC, datetime, timedelta

import pytest

from league.formats.slots import (
    Doubled,
    Missed,
    Missing,
    SlotTime,
    Timetable,
    between,
    check,
    following,
    judge,
)

NOW = datetime(2027, 1, 1, 12, tzinfo=UTC)


def _on(day: str, cron: str, zone: str, **policy: object) -> list[tuple[str, int, str, bool]]:
    noon = datetime.fromisoformat(f"{day}T12:00+00:00")
    table = Timetable(cron, zone, **policy)  # type: ignore[arg-type]
    found = between(table, noon - timedelta(hours=36), noon + timedelta(hours=12))
    return [
        (slot.local, slot.fold, slot.due_at.strftime("%d %H:%M"), slot.skipped)
        for slot in found
        if slot.local.startswith(day)
    ]


@pytest.mark.parametrize(
    ("zone", "day", "cron", "after"),
    [
        ("Europe/Helsinki", "2027-03-28", "30 3 * * *", "28 01:00"),
        ("Australia/Lord_Howe", "2027-10-03", "15 2 * * *", "02 15:30"),
        ("Australia/Sydney", "2027-10-03", "30 2 * * *", "02 16:00"),
    ],
)
def test_a_missing_local_time_is_made_up_after_the_gap_or_skipped(
    zone: str, day: str, cron: str, after: str
) -> None:
    minute, hour = cron.split()[:2]
    local = f"{day}T{int(hour):02}:{minute}"
    assert _on(day, cron, zone) == [(local, 0, after, False)]
    assert _on(day, cron, zone, missing=Missing.SKIP) == [(local, 0, after, True)]


@pytest.mark.parametrize(
    ("zone", "day", "cron", "first", "second"),
    [
        ("Europe/Helsinki", "2027-10-31", "30 3 * * *", "31 00:30", "31 01:30"),
        ("Australia/Lord_Howe", "2027-04-04", "45 1 * * *", "03 14:45", "03 15:15"),
        ("Australia/Sydney", "2027-04-04", "30 2 * * *", "03 15:30", "03 16:30"),
    ],
)
def test_a_doubled_local_time_counts_by_its_policy(
    zone: str, day: str, cron: str, first: str, second: str
) -> None:
    minute, hour = cron.split()[:2]
    local = f"{day}T{int(hour):02}:{minute}"
    assert _on(day, cron, zone) == [(local, 0, first, False)]
    assert _on(day, cron, zone, doubled=Doubled.SECOND) == [(local, 1, second, False)]
    assert _on(day, cron, zone, doubled=Doubled.BOTH) == [
        (local, 0, first, False),
        (local, 1, second, False),
    ]


@pytest.mark.parametrize("zone", ["Europe/Helsinki", "Australia/Lord_Howe", "Australia/Sydney"])
@pytest.mark.parametrize("minutes", [7, 60, 600, 5000])
def test_a_year_cut_into_windows_loses_and_doubles_no_slot(zone: str, minutes: int) -> None:
    table = Timetable("15,45 * * * *", zone, doubled=Doubled.BOTH)
    for start in (datetime(2027, 3, 27, tzinfo=UTC), datetime(2027, 10, 1, tzinfo=UTC)):
        end = start + timedelta(days=10)
        whole = list(between(table, start, end))
        cut, at = [], start
        while at < end:
            step = min(at + timedelta(minutes=minutes), end)
            cut += list(between(table, at, step))
            at = step
        assert cut == whole
        assert whole == sorted(whole)
        assert len({(slot.local, slot.fold) for slot in whole}) == len(whole)


def _slot(minutes_ago: int) -> SlotTime:
    return SlotTime(NOW - timedelta(minutes=minutes_ago), f"-{minutes_ago}")


@pytest.mark.parametrize(
    ("missed", "ages", "opens"),
    [
        (Missed.SKIP, [30, 20], []),
        (Missed.RUN_ONCE, [30, 20], [20]),
        (Missed.RUN_ALL, [30, 20], [30, 20]),
        (Missed.SKIP, [30, 0], [0]),
        (Missed.RUN_ONCE, [30, 0], [0]),
        (Missed.RUN_ALL, [30, 0], [30, 0]),
    ],
)
def test_missed_slots_open_by_their_policy(
    missed: Missed, ages: list[int], opens: list[int]
) -> None:
    verdicts = judge([_slot(age) for age in ages], NOW, missed)
    assert [verdict.slot for verdict in verdicts if verdict.opens] == [_slot(a) for a in opens]
    assert len(verdicts) == len(ages)


def test_the_next_slot_is_found_near_and_far() -> None:
    assert following(Timetable("0 19 * * TUE", "Europe/Helsinki"), NOW) == datetime(
        2027, 1, 5, 17, tzinfo=UTC
    )
    assert following(Timetable("0 0 29 2 *", "UTC"), NOW) == datetime(2028, 2, 29, tzinfo=UTC)
    assert following(Timetable("*/5 * * * * *", "UTC"), NOW) == NOW + timedelta(seconds=5)


@pytest.mark.parametrize(
    ("cron", "zone", "wrong"),
    [
        ("61 * * * *", "UTC", "cron"),
        ("", "UTC", "cron"),
        ("0 0 30 2 *", "UTC", "cron"),
        ("* * * * *", "Europe/Nowhere", "zone"),
        ("* * * * *", "../etc/passwd", "zone"),
        ("0 12 * * *", "Asia/Tokyo", None),
    ],
)
def test_a_timetable_that_means_nothing_is_named(cron: str, zone: str, wrong: str | None) -> None:
    assert check(Timetable(cron, zone)) == wrong
