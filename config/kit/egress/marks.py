"""Where the running call notes which step it has come to, and when. Knows none of the steps."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from time import monotonic


class Marks(dict[str, float]):
    """Step -> the monotonic clock when the call came to it; the last time it did counts."""

    def __init__(self, queued: float, on_written: Callable[[], None] | None = None) -> None:
        super().__init__(queued=queued, start=monotonic())
        self.on_written = on_written


# The marks of the running call; None outside one.
current: ContextVar[Marks | None] = ContextVar("egress_marks", default=None)


def mark(step: str) -> None:
    """Note that the running call has come to `step`."""
    noted = current.get()
    if noted is not None:
        noted[step] = monotonic()


def mark_written() -> None:
    """Note that the request has gone out: from now on the time is the other side's."""
    noted = current.get()
    if noted is not None:
        noted["written"] = monotonic()
        if noted.on_written is not None:
            noted.on_written()
