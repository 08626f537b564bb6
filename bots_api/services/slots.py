"""A bot's slots as advisory locks of PostgreSQL: whoever dies gives them back by that.

Lock (bot, n) is slot n; lock (bot, 0) is held, shared, by everybody who waits for one. They belong
to the session, so one process always asks over the same connection. Who has slots looks at them
each second; the session of one that does not, frozen or cut off, is ended by the database.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.db import connection
from django.db.backends.utils import CursorWrapper

# Longer than the lease of a game: then others play it, and need the slots.
SILENT_S: Final = 15

_SESSION = """
    SELECT pg_backend_pid(), set_config('idle_session_timeout', %s, false)
"""
_CLAIM = """
    SELECT ARRAY(
        SELECT slot FROM generate_series(1, %s) AS slot
        WHERE slot <> ALL(%s::int[]) AND pg_try_advisory_lock(%s, slot) LIMIT %s
    )
"""
_WANTED = """
    SELECT classid::int, count(*) FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 2 AND objid = 0 AND granted
        AND pid <> pg_backend_pid()
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    GROUP BY classid
"""


class Claimed(NamedTuple):
    """Slots that are now this session's, beside those that it had; which session that is."""

    session: int
    slots: list[int]


class Wanted(NamedTuple):
    """By bot, how many other sessions wait for one of its slots; and which session this is."""

    session: int
    waiting: dict[int, int]


def claim(bot_id: int, width: int, held: Sequence[int], wanted: int) -> Claimed:
    """Take up to `wanted` more of a bot's slots; without any, note that somebody waits."""
    with connection.cursor() as cursor:
        session = _session(cursor, SILENT_S)
        cursor.execute(_CLAIM, [width, list(held), bot_id, wanted])
        (slots,) = cursor.fetchone()
        if not slots:
            cursor.execute("SELECT pg_advisory_unlock_shared(%s, 0)", [bot_id])
            cursor.execute("SELECT pg_try_advisory_lock_shared(%s, 0)", [bot_id])
        return Claimed(session, slots)


def satisfied(bot_id: int) -> None:
    """Nobody waits here any more."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_unlock_shared(%s, 0)", [bot_id])


def give_back(bot_id: int, slots: Sequence[int]) -> None:
    """Let others have these slots."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_unlock(%s, slot) FROM unnest(%s::int[]) AS slot",
            [bot_id, list(slots)],
        )


def wanted() -> Wanted:
    """Who else waits for slots, of which bots."""
    with connection.cursor() as cursor:
        session = _session(cursor, SILENT_S)
        cursor.execute(_WANTED)
        return Wanted(session, dict(cursor.fetchall()))


def rest() -> None:
    """Nothing is held or wanted here: the session may be silent."""
    with connection.cursor() as cursor:
        _session(cursor, 0)


def _session(cursor: CursorWrapper, silent_s: int) -> int:
    """Which session this is, from now on ended after so many seconds of silence; 0: never."""
    cursor.execute(_SESSION, [f"{silent_s}s"])
    return int(cursor.fetchone()[0])
