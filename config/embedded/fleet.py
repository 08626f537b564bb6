"""Child processes under one eye: hears them, starts again what ends, stops them in order.

One thread: the kernel ties the children's lives to the thread that starts them.
"""

import contextlib
import selectors
import signal
import socket
import time
from collections.abc import Callable, Iterable
from types import FrameType

from config.embedded.child import Command, kill_group
from config.embedded.console import Console
from config.embedded.errors import EmbeddedError
from config.embedded.kept import Kept

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# A terminal and `make` may both pass on the same Ctrl-C.
SAME_REQUEST_S = 0.5


class StopAsked(Exception):  # noqa: N818 - nothing went wrong
    """The person (or the system) asked us to stop."""


class Fleet:
    """All children of one supervisor, in groups; a `with` ends them in reverse order."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._groups: list[list[Kept]] = []
        self._selector = selectors.DefaultSelector()
        self._requests: list[float] = []

    def __enter__(self) -> "Fleet":
        """Take over the signals that ask us to stop, and word of ended children."""
        self._woken, self._waker = socket.socketpair()
        self._woken.setblocking(False)
        self._waker.setblocking(False)
        self._selector.register(self._woken, selectors.EVENT_READ)
        signal.set_wakeup_fd(self._waker.fileno(), warn_on_full_buffer=False)
        self._before = {one: signal.signal(one, self._on_stop_signal) for one in STOP_SIGNALS}
        self._before[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, _only_wake)
        return self

    def __exit__(self, *_: object) -> None:
        """Stop every group, the last started first; a second request kills."""
        for group in reversed(self._groups):
            self._stop(group)
        signal.set_wakeup_fd(-1)
        for one, handler in self._before.items():
            signal.signal(one, handler)
        self._selector.close()
        self._woken.close()
        self._waker.close()

    def start(self, commands: Iterable[Command]) -> list[Kept]:
        """Start commands that belong together, in a group that is stopped together."""
        group: list[Kept] = []
        self._groups.append(group)
        for command in commands:
            group.append(kept := Kept(command))
            self._listen_to(kept)
        return group

    def dismiss(self, group: list[Kept]) -> None:
        """Stop one group for good."""
        self._groups.remove(group)
        self._stop(group)

    def run(self, command: Command) -> None:
        """Run a command to its end; raises `EmbeddedError` if it fails."""
        kept = Kept(command)
        self._listen_to(kept)
        try:
            while kept.alive:
                self._turn(0.5)
        finally:
            self._stop([kept])
        if kept.process.returncode:
            raise EmbeddedError(
                f"The step '{command.name}' failed (exit code {kept.process.returncode}): "
                "see its lines above."
            )

    def tend(self, until: Callable[[], bool], patience_s: float = float("inf")) -> bool:
        """Look after the children until something holds; return False when patience ends first.

        Raises `StopAsked` and `CrashLoopError`.
        """
        give_up = time.monotonic() + patience_s
        pause = 0.02
        while time.monotonic() < give_up:
            if until():
                return True
            self._turn(pause)
            pause = min(1.0, pause * 1.2)
        return False

    def _turn(self, longest_s: float) -> None:
        self._listen(longest_s)
        if self._requests:
            raise StopAsked
        now = time.monotonic()
        for kept in [kept for group in self._groups for kept in group]:
            if kept.due is None and not kept.alive:
                self._mourn(kept, now)
            elif kept.due is not None and kept.due <= now:
                kept.start_again()
                self._listen_to(kept)

    def _mourn(self, kept: Kept, now: float) -> None:
        code = kept.process.returncode
        self._lay_to_rest(kept)
        pause = kept.bury(now)
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        self._console.say(kept.command.name, f"{how}; starting again in {pause:.2g} s")

    def _stop(self, group: list[Kept]) -> None:
        now = time.monotonic()
        living = [kept for kept in group if kept.due is None]
        for kept in living:
            kept.retire(now)
        while any(kept.alive for kept in living):
            for kept in living:
                if len(self._requests) > 1:
                    kill_group(kept.process)
                kept.press(time.monotonic())
            self._listen(0.2)
        for kept in living:
            self._lay_to_rest(kept)

    def _lay_to_rest(self, kept: Kept) -> None:
        """Take what it still said, kill what it left of its own children, close its pipe."""
        assert kept.process.stdout is not None
        if kept.process.stdout.closed:
            return
        kill_group(kept.process)
        self._hear(kept)
        with contextlib.suppress(KeyError):
            self._selector.unregister(kept.ear)
        kept.process.stdout.close()

    def _listen_to(self, kept: Kept) -> None:
        self._selector.register(kept.ear, selectors.EVENT_READ, kept)

    def _listen(self, longest_s: float) -> None:
        for key, _ in self._selector.select(longest_s):
            if isinstance(key.data, Kept):
                self._hear(key.data)
            else:
                self._drain_wakes()

    def _hear(self, kept: Kept) -> None:
        for line in kept.hear():
            self._console.relay(kept.command.name, line)
        if kept.mute:
            with contextlib.suppress(KeyError):
                self._selector.unregister(kept.ear)

    def _drain_wakes(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while self._woken.recv(4096):
                pass

    def _on_stop_signal(self, _number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if not self._requests or now - self._requests[-1] > SAME_REQUEST_S:
            self._requests.append(now)


def _only_wake(_number: int, _frame: FrameType | None) -> None:
    """Let the wakeup descriptor tell; an ignored SIGCHLD would not write to it."""
