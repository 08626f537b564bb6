"""The hub: one LISTEN connection of a process, and everybody in its loop who waits for news.

Owns the connection and who is woken; knows no table. News are hints: whoever is woken reads the
rows. After a lost connection everybody is woken, since news may have been missed.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from contextvars import Context
from typing import Any, Final

import psycopg
import structlog
from django.conf import settings
from django.db import connection
from psycopg import sql

log = structlog.get_logger(__name__)

FIRST_PAUSE_S: Final = 0.1
LONGEST_PAUSE_S: Final = 2.0


class Hub:
    """Wakes waiters by (channel, key); a notification's key is the first word of its payload.

    Belongs to the event loop that it is first used in. Channels: `settings.NOTIFY_CHANNELS`.
    """

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, str], set[asyncio.Event]] = {}
        self._listener: asyncio.Task[None] | None = None
        self._listening = asyncio.Event()

    @contextlib.contextmanager
    def watch(self, channel: str, *keys: str) -> Iterator[asyncio.Event]:
        """An event that is set by news for any of `keys`; clear it before reading the rows.

        It may be set without news. News from before `ready` has returned may be missed.
        """
        if self._listener is None or self._listener.done():
            # It outlives whoever came first, and takes nothing of that one's context along.
            self._listener = asyncio.create_task(self._listen(), context=Context())
        event = asyncio.Event()
        for key in keys:
            self._waiting.setdefault((channel, key), set()).add(event)
        try:
            yield event
        finally:
            for key in keys:
                self._forget(channel, key, event)

    async def ready(self, seconds: float = LONGEST_PAUSE_S) -> bool:
        """Wait until the hub hears; False if it can't within the time."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._listening.wait(), seconds)
        return self._listening.is_set()

    async def close(self) -> None:
        """Stop listening; nobody waits any more."""
        if self._listener is not None:
            self._listener.cancel()
            await asyncio.gather(self._listener, return_exceptions=True)

    async def _listen(self) -> None:
        pause = FIRST_PAUSE_S
        while True:
            try:
                await self._hear()
            except (psycopg.Error, OSError) as error:
                pause = FIRST_PAUSE_S if self._listening.is_set() else min(2 * pause, 2.0)
                log.warning("hub_lost_its_connection", error=str(error))
            finally:
                self._listening.clear()
            await asyncio.sleep(pause)

    async def _hear(self) -> None:
        async with await psycopg.AsyncConnection.connect(**_parameters()) as connected:
            for channel in settings.NOTIFY_CHANNELS:
                await connected.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
            self._listening.set()
            self._wake_all()
            async for news in connected.notifies():
                for event in self._waiting.get((news.channel, news.payload.split(" ")[0]), ()):
                    event.set()

    def _wake_all(self) -> None:
        for events in self._waiting.values():
            for event in events:
                event.set()

    def _forget(self, channel: str, key: str, event: asyncio.Event) -> None:
        events = self._waiting[channel, key]
        events.discard(event)
        if not events:
            del self._waiting[channel, key]


def notify(channel: str, key: str) -> None:
    """Tell the waiters of every process, when the caller's transaction commits."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [channel, key])


async def heard(event: asyncio.Event, seconds: float) -> bool:
    """Wait for news; False if the time passed without any."""
    if seconds > 0 and not event.is_set():
        # Not wait_for, which makes a task of every wait: there are many waiters.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await event.wait()
    return event.is_set()


def _parameters() -> dict[str, Any]:
    given: dict[str, Any] = connection.get_connection_params()
    ours = ("context", "cursor_factory", "prepare_threshold", "server_side_binding", "pool")
    kept = {name: value for name, value in given.items() if name not in ours}
    return {**kept, "autocommit": True, "application_name": "hub"}
