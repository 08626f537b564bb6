"""R6: three beats, one of them killed and started, and the slots on days when clocks change.

Real processes on a database whose clock is ours: functions of the same names, found before the
built-in ones, tell the time of the days in question.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from tests.chaos import Proof
from tests.chaos.theatre import Theatre, cast, theatre, wait_for

GOAL = "each slot once by its policy, none missed"
STEP: Final = timedelta(minutes=15)
AROUND: Final = timedelta(minutes=90)

_CLOCK: Final = """
    CREATE SCHEMA moved;
    CREATE TABLE moved.by (step interval NOT NULL);
    INSERT INTO moved.by VALUES ('0 s');
    CREATE FUNCTION moved.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
        'SELECT pg_catalog.clock_timestamp() + (SELECT step FROM moved.by)';
    CREATE FUNCTION moved.statement_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
        'SELECT pg_catalog.statement_timestamp() + (SELECT step FROM moved.by)';
    CREATE FUNCTION moved.now() RETURNS timestamptz LANGUAGE sql VOLATILE AS
        'SELECT pg_catalog.now() + (SELECT step FROM moved.by)';
    ALTER DATABASE housuliiga SET search_path = moved, pg_catalog, public;
"""
_SLOTS: Final = """
    SELECT fold, skipped, competition_id IS NOT NULL FROM league_slot
    WHERE schedule_id = %s ORDER BY due_at
"""

_CUPS: Final = "SELECT count(*) FROM league_competition"


class Day(NamedTuple):
    """A local time on the day when a zone's clocks change; `at`: the change, in UTC."""

    zone: str
    cron: str
    at: datetime
    doubled: bool


DAYS: Final = (
    Day("Europe/Helsinki", "30 3 28 3 *", datetime(2027, 3, 28, 1, tzinfo=UTC), doubled=False),
    Day("Australia/Lord_Howe", "45 1 4 4 *", datetime(2027, 4, 3, 15, tzinfo=UTC), doubled=True),
    Day("Australia/Sydney", "30 2 4 4 *", datetime(2027, 4, 3, 16, tzinfo=UTC), doubled=True),
    Day("Australia/Lord_Howe", "15 2 3 10 *", datetime(2027, 10, 2, 15, 30, tzinfo=UTC), False),
    Day("Australia/Sydney", "30 2 3 10 *", datetime(2027, 10, 2, 16, tzinfo=UTC), doubled=False),
    Day("Europe/Helsinki", "30 3 31 10 *", datetime(2027, 10, 31, 1, tzinfo=UTC), doubled=True),
)
# What each policy makes of such a time: the folds of the slots that open.
MISSING: Final = {"after": [0], "skip": []}
DOUBLED: Final = {"first": [0], "second": [1], "both": [0, 1]}


class Planned(NamedTuple):
    """A schedule, and the folds of the slots that it should open."""

    schedule: int
    slots: list[int]


def prove(port: int, days: int = len(DAYS)) -> Proof:
    """So many of the days; `port` is not asked."""
    chosen = DAYS[:days]
    with theatre(beats=3) as made:
        _take_the_clock(made)
        token = cast(made).token
        plans = [plan for day in chosen for plan in _plans(made, token, day)]
        steps = _walk(made, sorted({day.at for day in chosen}))
        with made.database() as connection:
            found = [connection.execute(_SLOTS, [plan.schedule]).fetchall() for plan in plans]
            (cups,) = connection.execute(_CUPS).fetchone() or (0,)
    right = sum(_is_right(plan, slots) for plan, slots in zip(plans, found, strict=True))
    opens = sum(len(plan.slots) for plan in plans)
    figure = (
        f"{len(chosen)} days, {len(plans)} schedules of all policies, three beats over {steps} "
        f"steps of their clock, one killed and started {steps // 2} times: {right} schedules have "
        f"the slots of their policy; {cups} competitions opened by {opens} slots"
    )
    return Proof(figure, GOAL, right == len(plans) and cups == opens)


def _take_the_clock(made: Theatre) -> None:
    with made.database() as connection:
        connection.execute(_CLOCK)
    for name in ("web", "worker"):
        made.kill(name)
        made.start(name)


def _plans(made: Theatre, token: str, day: Day) -> Iterator[Planned]:
    policies = DOUBLED if day.doubled else MISSING
    for policy, slots in policies.items():
        wish = {
            "club": "kulma",
            "name": f"{day.zone} {day.cron} {policy}",
            "cron": day.cron,
            "zone": day.zone,
            "doubled" if day.doubled else "missing": policy,
            "template": {"settings": {"deals_per_table": 1}, "players": ["house:lowest"] * 2},
        }
        yield Planned(made.stack.post("/api/v1/schedules", wish, token)["id"], slots)


def _walk(made: Theatre, moments: list[datetime]) -> int:
    """Let the clock pass each moment in steps; the second beat dies and comes back on the way."""
    around = range(-(AROUND // STEP), AROUND // STEP + 1)
    # Two of the days are one: a clock that went back would leave the sweeps unseen.
    times = sorted({moment + number * STEP for moment in moments for number in around})
    for step, at in enumerate(times):
        _set(made, at)
        _swept_twice(made)
        if step % 2:
            made.kill("beat2")
            made.start("beat2")
    return len(times)


def _set(made: Theatre, at: datetime) -> None:
    with made.database() as connection:
        connection.execute("UPDATE moved.by SET step = %s - pg_catalog.clock_timestamp()", [at])


def _swept_twice(made: Theatre) -> None:
    """Whoever begins to look after this has seen the new time."""
    for _ in range(2):
        before = _swept(made)
        wait_for(lambda before=before: _swept(made) != before, 120, "nobody sweeps")  # type: ignore[misc]
    time.sleep(0.2)


def _swept(made: Theatre) -> Any:
    with made.database() as connection:
        return connection.execute(
            "SELECT woken_at FROM kit_wakemark WHERE kind = 'config.sweep'"
        ).fetchone()


def _is_right(plan: Planned, slots: list[Any]) -> bool:
    told = [fold for fold, skipped, _ in slots if not skipped]
    return told == plan.slots and all(opened != skipped for _, skipped, opened in slots)
