"""Clocks of a game: milliseconds since its start, banks, deadlines, faults. Pure arithmetic.

`at_ms` is the database's clock at the commit, cut to milliseconds. Deadlines are counted from it
and the banks alone, so that an answer given again carries the same deadline.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from games.models import Game, Seat

LONGEST_MS = 2**32 - 1
# The fault that hands a seat to the stand-in for the rest of a game.
FAULT_LIMIT = 3


def ms_since(start: datetime, now: datetime) -> int:
    """Whole milliseconds from `start` to `now`, as four bytes hold them; never negative."""
    passed = (now - start) // timedelta(milliseconds=1)
    return max(0, min(passed, LONGEST_MS))


def moment(start: datetime, at_ms: int) -> datetime:
    """The moment `at_ms` milliseconds after the start."""
    return start + timedelta(milliseconds=at_ms)


def bank_after(bank_ms: int, spent_ms: int, move_ms: int) -> int:
    """What is left of a bank after a move: what goes over `move_ms` comes off it.

    >>> bank_after(5000, 61_000, 60_000), bank_after(500, 99_000, 60_000)
    (4000, 0)
    """
    return max(0, bank_ms - max(0, spent_ms - move_ms))


def packed(times: Iterable[int]) -> bytes:
    """Times as the rows keep them: four bytes big-endian each."""
    return b"".join(at_ms.to_bytes(4, "big") for at_ms in times)


def unpacked(times: bytes) -> list[int]:
    """The times of a row.

    >>> unpacked(packed([0, 1840]))
    [0, 1840]
    """
    return [int.from_bytes(times[at : at + 4], "big") for at in range(0, len(times), 4)]


def by_machine(seat: Seat) -> bool:
    """Whether no person decides for this seat: a bot's, or one that the stand-in plays."""
    return seat.agent_ref != "" or seat.stand_in_at is not None


def deadline_ms(game: Game, seat: Seat) -> int:
    """When the seat's time is up for the decision that is open now, in ms since the start."""
    assert game.started_at is not None
    return ms_since(game.started_at, game.turn_at or game.started_at) + game.move_ms + seat.bank_ms


def deadline(game: Game, seat: Seat) -> datetime:
    """As `deadline_ms`, as a moment."""
    assert game.started_at is not None
    return moment(game.started_at, deadline_ms(game, seat))
