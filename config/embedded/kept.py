"""One kept child process: what it says, how often it ended, how it is asked to stop."""

import contextlib
import os
import signal
import subprocess
from collections import deque

from config.embedded.child import Command, spawn
from config.embedded.errors import EmbeddedError

TOLERATED_DEATHS, DEATHS_WINDOW_S = 6, 60.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.25, 5.0
LAST_LINES = 20


class CrashLoopError(EmbeddedError):
    """A process ends again and again; its text has its last lines."""

    def __init__(self, kept: "Kept", text: str) -> None:
        super().__init__(text)
        self.kept = kept


class Kept:
    """One child: its process, its last words and its deaths."""

    def __init__(self, command: Command) -> None:
        self.command = command
        self.words: deque[str] = deque(maxlen=LAST_LINES)
        self.mute = False
        self.due: float | None = None
        self.process = self._spawn()
        self._deaths: deque[float] = deque()
        self._unfinished = b""
        self._presses: deque[tuple[float, signal.Signals]] = deque()

    @property
    def ear(self) -> int:
        """Return the descriptor of the pipe it speaks into."""
        assert self.process.stdout is not None
        return self.process.stdout.fileno()

    @property
    def alive(self) -> bool:
        """Say whether it runs; a process that ended is noticed here."""
        return self.process.poll() is None

    def start_again(self) -> None:
        """Start it anew."""
        self.due, self.mute = None, False
        self.process = self._spawn()

    def hear(self) -> list[str]:
        """Return the whole lines that wait in its pipe, at its end the last piece too.

        `mute` is set when the pipe has ended.
        """
        pieces = [self._unfinished]
        with contextlib.suppress(BlockingIOError):
            while piece := os.read(self.ear, 1 << 16):
                pieces.append(piece)
            self.mute = True
        *whole, self._unfinished = b"".join(pieces).split(b"\n")
        if self.mute and self._unfinished:
            whole.append(self._unfinished)
            self._unfinished = b""
        heard = [line.decode(errors="replace") for line in whole]
        self.words.extend(heard)
        return heard

    def bury(self, now: float) -> float:
        """Note a death; return the pause before the next start. Raises `CrashLoopError`."""
        while self._deaths and self._deaths[0] < now - DEATHS_WINDOW_S:
            self._deaths.popleft()
        self._deaths.append(now)
        if len(self._deaths) >= TOLERATED_DEATHS:
            raise CrashLoopError(
                self,
                f"{self.command.name} ended {len(self._deaths)} times within a minute; stopping. "
                + self.last_words(),
            )
        pause: float = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** (len(self._deaths) - 1))
        self.due = now + pause
        return pause

    def last_words(self) -> str:
        """Return its last lines as text for an error."""
        return "Its last lines:\n" + "\n".join(f"    {line}" for line in self.words)

    def retire(self, now: float) -> None:
        """Plan its end: each stage's signal at its time, then the kill."""
        self.due = None
        for stage in self.command.stages:
            self._presses.append((now, stage.signal))
            now += stage.patience_s
        self._presses.append((now, signal.SIGKILL))

    def press(self, now: float) -> None:
        """Send the next signal of its plan if its time has come."""
        if self._presses and self._presses[0][0] <= now and self.alive:
            _, chosen = self._presses.popleft()
            self.process.send_signal(chosen)

    def _spawn(self) -> subprocess.Popen[bytes]:
        process = spawn(self.command, subprocess.PIPE)
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        return process
