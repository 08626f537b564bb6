"""Commits of the loop: all moves that wait go in one transaction, in a thread of their own.

Owns grouping and the thread; what a move writes is the service's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from django.db import InterfaceError, OperationalError, close_old_connections, connections

from games.services.moves import DrivenMove, commit_driven

Result = TypeVar("Result")
Waiting = tuple[DrivenMove, asyncio.Future[bool]]


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


class Commits:
    """Gathers moves while a transaction runs, then commits them all in the next one."""

    def __init__(self) -> None:
        self._thread = DatabaseThread("commits")
        self._waiting: list[Waiting] = []
        self._running: asyncio.Task[None] | None = None

    async def put(self, move: DrivenMove) -> bool:
        """Commit `move`; False if the lease or the ply was no longer ours.

        Raises what the database raised about this move, or about all when it is out.
        """
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((move, done))
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._run())
        return await done

    async def close(self) -> None:
        """End the thread; nothing waits any more."""
        await self._thread.close()

    async def _run(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            await self._commit(batch)

    async def _commit(self, batch: Sequence[Waiting]) -> None:
        """Commit together; what the database refuses is found by committing one by one."""
        try:
            held = await self._thread.run(commit_driven, [move for move, _ in batch])
        except Exception as error:
            if len(batch) == 1 or isinstance(error, OperationalError | InterfaceError):
                _fail(batch, error)
                return
            for one in batch:
                await self._commit([one])
        else:
            for (_, done), ours in zip(batch, held, strict=True):
                if not done.cancelled():
                    done.set_result(ours)


def _fail(batch: Sequence[Waiting], error: Exception) -> None:
    for _, done in batch:
        if not done.cancelled():
            done.set_exception(error)
