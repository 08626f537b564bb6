"""The one time limit of a call, which moves when the request has been written."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Self


class Deadline:
    """Cancels what the task does in the block once the time is up, and says so by `TimeoutError`.

    `asyncio.timeout` sets a new timer each time that it is rescheduled, which takes longer than
    all else about it; here one timer is set for the earliest moment and looks when it goes off.
    """

    def __init__(self, total_s: float, answer_s: float) -> None:
        self._total_s, self._answer_s = total_s, answer_s
        self._due = 0.0
        self.late = False

    def written(self) -> None:
        """From now on the other side has `answer_s`, as far as the whole time allows it."""
        self._due = min(self._due, self._loop.time() + self._answer_s)

    def __enter__(self) -> Self:
        task = asyncio.current_task()
        assert task is not None
        self._task, self._cancelling = task, task.cancelling()
        self._loop = task.get_loop()
        now = self._loop.time()
        self._due = now + self._total_s
        self._timer = self._loop.call_at(now + min(self._total_s, self._answer_s), self._look)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        if self.late and self._task.uncancel() <= self._cancelling and error is not None:
            raise TimeoutError from error

    def _look(self) -> None:
        if self._loop.time() < self._due:
            self._timer = self._loop.call_at(self._due, self._look)
        else:
            self.late = True
            self._task.cancel()
