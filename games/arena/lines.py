"""Lines from a pipe, each by a deadline and none longer than a reply may be."""

import os
import selectors
import time
from typing import Final

_LONGEST: Final = 16 * 1024
_CHUNK: Final = 64 * 1024
_READS: Final = 16
"""So much is dropped at once at most: who never stops talking is not waited for."""


class TooLongError(Exception):
    """A line that is longer than a reply may be; it is read over."""


class LineReader:
    """Reads one pipe."""

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe
        self._left = b""
        self._too_long = False
        """Whether the line that is being read is too long already."""
        self.ended = False
        """Whether the other end has been closed."""
        self._ready = selectors.DefaultSelector()
        self._ready.register(pipe, selectors.EVENT_READ)

    def read(self, until: float) -> bytes | None:
        """The next line, or None: it was not there in time, or there is none any more. Raises
        `TooLongError`."""
        while b"\n" not in self._left:
            if len(self._left) > _LONGEST:
                self._left, self._too_long = b"", True
            if not self._fill(until - time.monotonic()):
                return None
        line, _, self._left = self._left.partition(b"\n")
        if self._too_long or len(line) > _LONGEST:
            self._too_long = False
            raise TooLongError
        return line

    def drop(self) -> int:
        """Forget what is there already; how many lines that was."""
        dropped, reads = 0, 0
        more = True
        while more and reads < _READS:
            more, reads = self._fill(0), reads + 1
            *lines, self._left = self._left.split(b"\n")
            dropped += len(lines)
            self._too_long &= not lines
        return dropped

    def close(self) -> None:
        """Read no more."""
        self._ready.close()

    def _fill(self, patience: float) -> bool:
        if self.ended or not self._ready.select(max(patience, 0.0)):
            return False
        got = os.read(self._pipe, _CHUNK)
        self.ended = not got
        self._left += got
        return bool(got)
