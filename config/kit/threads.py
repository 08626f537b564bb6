"""A few threads with a database connection each, for an event loop that needs the database.

However many streams there are, they read through these. Knows no query.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, Final, TypeVar

from django.db import close_old_connections, connections

THREADS: Final = 4

Result = TypeVar("Result")


class Readers:
    """Runs functions in its threads; belongs to nobody's loop."""

    def __init__(self, threads: int = THREADS) -> None:
        self._threads = threads
        self._executor = ThreadPoolExecutor(threads, "readers")

    async def run(self, function: Callable[..., Result], *args: Any) -> Result:
        """Run `function(*args)` in a thread; its exceptions come back here."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, _run, function, *args)

    async def close(self) -> None:
        """Close the connections and end the threads."""
        loop, together = asyncio.get_running_loop(), Barrier(self._threads)

        def end() -> None:
            connections.close_all()
            # No thread can take a second turn while all wait for the last one.
            together.wait(timeout=5)

        ends = [loop.run_in_executor(self._executor, end) for _ in range(self._threads)]
        await asyncio.gather(*ends)
        self._executor.shutdown()


def _run(function: Callable[..., Result], *args: Any) -> Result:
    close_old_connections()
    try:
        return function(*args)
    finally:
        close_old_connections()
