"""A crowd of live viewers in one event loop: each reads a stream, loses it, and comes again."""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from tests.chaos import SEED

# How long a stream lives before its reader drops it, on average.
MEAN_LIFE_S: Final = 15.0
PAUSE_S: Final = (0.05, 0.5)


@dataclass
class Watched:
    """One viewer of one game: the plies and numbers that came, when, and since when it was open."""

    game_id: UUID
    token: str = ""
    numbers: list[int] = field(default_factory=list)
    got: list[tuple[int, float]] = field(default_factory=list)
    opened: list[float] = field(default_factory=list)
    connected: bool = False

    def request(self) -> bytes:
        """The request that goes on after what is there."""
        lines = [
            f"GET /api/v1/games/{self.game_id}/events HTTP/1.1",
            "Host: localhost",
            "Accept: text/event-stream",
        ]
        if self.token:
            lines.append(f"Authorization: Bearer {self.token}")
        if self.numbers:
            lines.append(f"Last-Event-ID: {self.numbers[-1]}")
        return "\r\n".join(lines).encode() + b"\r\n\r\n"

    def take(self, line: bytes) -> None:
        """One line of the stream; what frames the chunks is passed over."""
        if line.startswith(b"id: "):
            self.numbers.append(int(line[4:]))
        elif line.startswith(b'data: {"number":'):
            ply = int(line.split(b'"ply":', 1)[1].split(b",", 1)[0])
            self.got.append((ply, time.monotonic()))

    def opened_before(self, at: float) -> float:
        """When the stream was asked for over which something came at that time."""
        return max(moment for moment in self.opened if moment <= at)


class Crowd:
    """All viewers, reading in a thread of their own."""

    def __init__(self, port: int, viewers: Sequence[Watched], life_s: float = MEAN_LIFE_S) -> None:
        self._port = port
        self._viewers = viewers
        self._life_s = life_s
        self._chance = random.Random(SEED)
        self._loop = asyncio.new_event_loop()

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Watch for the length of the block."""
        thread = threading.Thread(target=self._loop.run_until_complete, args=(self._run(),))
        self._stop = asyncio.Event()
        thread.start()
        try:
            yield
        finally:
            self._loop.call_soon_threadsafe(self._stop.set)
            thread.join()
            self._loop.close()

    def all_connected(self, patience_s: float) -> None:
        """Wait until everybody watches."""
        _wait(lambda: all(one.numbers for one in self._viewers), patience_s, "not all are in")

    def all_have(self, last: Mapping[UUID, int], patience_s: float) -> None:
        """Wait until everybody has the last number of his game, or for so long."""
        with contextlib.suppress(AssertionError):
            _wait(lambda: all(self._has(one, last) for one in self._viewers), patience_s, "late")

    @staticmethod
    def _has(one: Watched, last: Mapping[UUID, int]) -> bool:
        return bool(one.numbers) and one.numbers[-1] >= last[one.game_id]

    async def _run(self) -> None:
        tasks = [asyncio.create_task(self._watch(one)) for one in self._viewers]
        await self._stop.wait()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _watch(self, one: Watched) -> None:
        while True:
            with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
                async with asyncio.timeout(self._chance.expovariate(1 / self._life_s)):
                    await self._read(one)
            await asyncio.sleep(self._chance.uniform(*PAUSE_S))

    async def _read(self, one: Watched) -> None:
        one.opened.append(time.monotonic())
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            writer.write(one.request())
            while line := await reader.readline():
                # What is cut off in the middle of a frame never came.
                if line.endswith(b"\n"):
                    one.take(line)
        finally:
            writer.transport.abort()


def _wait(what: Callable[[], bool], seconds: float, failure: str) -> None:
    give_up = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < give_up, failure
        time.sleep(0.05)
