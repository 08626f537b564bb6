"""The loop's way into the database: what waits together is done together, in a thread.

Owns grouping and the threads; what is written or read the services and `loading` know.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, Generic, TypeVar

from django.db import InterfaceError, OperationalError, close_old_connections, connections
from psycopg.errors import DeadlockDetected, SerializationFailure

# Where several games are at work, more of their moves are let come together: a transaction costs
# a hundred times a row (`manage.py bench bots`). One game alone never waits for it.
GATHER_S: Final = 0.004

Item = TypeVar("Item")
Result = TypeVar("Result")


class DatabaseThread:
    """One thread with one connection; the ORM refuses to work inside a running loop."""

    def __init__(self, name: str) -> None:
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    async def run(self, function: Callable[..., Result], *args: Any) -> Result:
        """Run `function(*args)` in the thread; its exceptions come back here."""
        return await asyncio.get_running_loop().run_in_executor(
            self._executor, self._run, function, *args
        )

    async def close(self) -> None:
        """Close the thread's connection and end the thread."""
        await asyncio.get_running_loop().run_in_executor(self._executor, connections.close_all)
        self._executor.shutdown()

    @staticmethod
    def _run(function: Callable[..., Result], *args: Any) -> Result:
        # The connection is kept for good: a check before each commit would cost a round trip.
        # After a failure the broken one goes, and the next call finds a new one.
        try:
            return function(*args)
        except Exception:
            close_old_connections()
            raise


class Grouped(Generic[Item, Result]):
    """Gathers items while `function` runs in its thread, then gives it all of them at once."""

    def __init__(
        self, thread: DatabaseThread, function: Callable[[Sequence[Item]], Sequence[Result]]
    ) -> None:
        self._thread = thread
        self._function = function
        self._waiting: list[tuple[Item, asyncio.Future[Result]]] = []
        self._running: asyncio.Task[None] | None = None

    async def put(self, item: Item) -> Result:
        """Have `item` done; raises what came of it, or of all when the database is out."""
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, done))
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._run())
        return await done

    async def _run(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            await self._do(batch)
            if len(batch) > 1:
                await asyncio.sleep(GATHER_S)

    async def _do(self, batch: Sequence[tuple[Item, asyncio.Future[Result]]]) -> None:
        """Do all together; what the database refuses is found by doing one by one."""
        try:
            results = await self._thread.run(self._function, [item for item, _ in batch])
        except Exception as error:
            if len(batch) == 1 or _database_is_out(error):
                _fail([done for _, done in batch], error)
                return
            for one in batch:
                await self._do([one])
        else:
            for (_, done), result in zip(batch, results, strict=True):
                if not done.cancelled():
                    done.set_result(result)


def _database_is_out(error: Exception) -> bool:
    """Whether trying again one by one would only fail once more for each."""
    chosen_to_give_way = isinstance(error.__cause__, DeadlockDetected | SerializationFailure)
    return isinstance(error, OperationalError | InterfaceError) and not chosen_to_give_way


def _fail(waiting: Sequence[asyncio.Future[Any]], error: Exception) -> None:
    for done in waiting:
        if not done.cancelled():
            done.set_exception(error)
