"""Clocks of a game: milliseconds since its start, banks, deadlines, faults. Pure arithmetic.

`at_ms` is the database's clock at the commit, cut to milliseconds. Deadlines are counted from it
and the banks alone, so that an answer given again carries the same deadline.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from games.models import Game, Seat

# What eight bytes hold, and JSON's numbers; a game of quick moves never comes to four.
LONGEST_MS = 2**53 - 1
USUAL_BYTES, CORRESPONDENCE_BYTES = 4, 8
# The fault that hands a seat to the stand-in for the rest of a game.
FAULT_LIMIT = 3


class Away(NamedTuple):
    """A time in which a player's clock stands still."""

    begins: datetime
    ends: datetime


def ms_since(start: datetime, now: datetime) -> int:
    """Whole milliseconds from `start` to `now`, as rows hold them; never negative."""
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


def time_bytes(game: Game) -> int:
    """How wide a time of this game is in its row."""
    return USUAL_BYTES if game.move_days is None else CORRESPONDENCE_BYTES


def packed(times: Iterable[int], size: int = USUAL_BYTES) -> bytes:
    """Times as the rows keep them: so many bytes big-endian each."""
    most = 256**size - 1
    return b"".join(min(at_ms, most).to_bytes(size, "big") for at_ms in times)


def unpacked(times: bytes, plies: int | None = None) -> list[int]:
    """The times of a row with so many plies, which say how wide a time is.

    >>> unpacked(packed([0, 1840])), unpacked(packed([0, 1840], 8), 2)
    ([0, 1840], [0, 1840])
    """
    size = len(times) // plies if times and plies else USUAL_BYTES
    return [int.from_bytes(times[at : at + size], "big") for at in range(0, len(times), size)]


def by_machine(seat: Seat) -> bool:
    """Whether no person decides for this seat: a bot's, or one that the stand-in plays."""
    return seat.agent_ref != "" or seat.stand_in_at is not None


def deadline_ms(game: Game, seat: Seat, away: Sequence[Away] = ()) -> int:
    """When the seat's time is up for the decision that is open now, in ms since the start.

    `away`: when its player is away, in order, without overlaps.
    """
    assert game.started_at is not None
    began = ms_since(game.started_at, game.turn_at or game.started_at)
    ends = began + game.move_ms + seat.bank_ms
    for begins, until in away:
        pause = max(began, ms_since(game.started_at, begins)), ms_since(game.started_at, until)
        if pause[0] < min(ends, pause[1]):
            ends += pause[1] - pause[0]
    return ends


def deadline(game: Game, seat: Seat, away: Sequence[Away] = ()) -> datetime:
    """As `deadline_ms`, as a moment."""
    assert game.started_at is not None
    return moment(game.started_at, deadline_ms(game, seat, away))
