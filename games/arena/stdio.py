"""A bot behind a command line: a line of JSON in, a line of JSON out (bots.md, "A turn").

Owns the process and the clock. What an answer is worth the rules decide, elsewhere.
"""

import json
import os
import selectors
import shlex
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO, Any, Final, NamedTuple

from config.kit.strict import StrictJSONError, loads
from games.arena.lines import LineReader, TooLongError

_HANDSHAKE_S: Final = 20.0
PROTOCOL: Final = 1


class Said(NamedTuple):
    """What came back: a reply, or the kind of fault; how long it took; the words as they came."""

    reply: Mapping[str, Any] | None
    fault: str | None
    spent_ms: float
    words: str = ""


class NoBotError(Exception):
    """A program that does not start, or whose first line is no handshake."""


class StdioBot:
    """One running program. Raises `NoBotError` when it is started."""

    def __init__(self, command: Sequence[str]) -> None:
        self.hello: Mapping[str, Any] = {}
        """What it said of itself."""
        self._name = shlex.join(command)
        self._late = 0
        """Answers still to come that came too late; each is skipped once it is there."""
        try:
            self._process = subprocess.Popen(  # noqa: S603 - whoever calls the arena names it
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,  # Ctrl-C is for the arena; the bot is ended by `close`
            )
        except OSError as error:
            raise NoBotError(f"{self._name}: cannot be started: {error.strerror}") from None
        self._lines = LineReader(_pipe(self._process.stdout).fileno())
        os.set_blocking(_pipe(self._process.stdin).fileno(), False)
        self._shake_hands()

    @property
    def ended(self) -> bool:
        """Whether the program is gone."""
        return self._lines.ended or self._process.poll() is not None

    def ask(self, message: Mapping[str, Any], budget_ms: float) -> Said:
        """Send one message and wait for its answer at most so long."""
        self._late = max(0, self._late - self._lines.drop())
        began = time.monotonic()
        fault, line = self._exchange(message, began + budget_ms / 1000)
        spent = (time.monotonic() - began) * 1000
        if line is None:
            return Said(None, fault, spent)
        reply = _object(line)
        words = line[:200].decode(errors="replace")
        return Said(reply, None if reply is not None else "bad_json", spent, words)

    def close(self) -> None:
        """End the program and what it started, gently at first."""
        self._lines.close()
        with suppress(subprocess.TimeoutExpired, OSError):
            _pipe(self._process.stdin).close()
            self._process.wait(1)
        self._kill()
        _pipe(self._process.stdout).close()

    def _kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _shake_hands(self) -> None:
        """The first line says {"protocol": 1, "version": "..."}."""
        line, _ = self._read(time.monotonic() + _HANDSHAKE_S)
        said = None if line is None else _object(line)
        if said is not None and said.get("protocol") == PROTOCOL:
            self.hello = said
            return
        code = self._exit_code() if line is None else None
        self.close()
        if code is not None:
            raise NoBotError(f"{self._name}: ended with exit code {code} before its handshake")
        came = "nothing" if line is None else repr(line[:80].decode(errors="replace"))
        raise NoBotError(
            f'{self._name}: no handshake: its first line must be like {{"protocol": {PROTOCOL}, '
            f'"version": "1.0"}}, but {came} came'
        )

    def _exit_code(self) -> int | None:
        """How it ended, if it does; who has closed its output is given a moment to end."""
        if not self._lines.ended:
            return self._process.poll()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        return self._process.poll()

    def _exchange(
        self, message: Mapping[str, Any], until: float
    ) -> tuple[str | None, bytes | None]:
        fault = self._send(json.dumps(message, separators=(",", ":")).encode() + b"\n", until)
        if fault:
            return fault, None
        while True:
            line, fault = self._read(until)
            if line is None:
                self._late += not self._lines.ended
                return "connect" if self._lines.ended else "timeout", None
            if not self._late:
                return fault, None if fault else line
            self._late -= 1

    def _read(self, until: float) -> tuple[bytes | None, str | None]:
        try:
            return self._lines.read(until), None
        except TooLongError:
            return b"", "too_large"

    def _send(self, data: bytes, until: float) -> str | None:
        """Write a message; the fault if it does not get through. Who does not read what is put to
        him is ended: half a message can't be taken back."""
        pipe = _pipe(self._process.stdin).fileno()
        with selectors.DefaultSelector() as ready:
            ready.register(pipe, selectors.EVENT_WRITE)
            while data:
                if not ready.select(max(0.0, until - time.monotonic())):
                    self._kill()
                    return "timeout"
                try:
                    data = data[os.write(pipe, data) :]
                except OSError:
                    return "connect"
        return None


def _pipe(end: IO[bytes] | None) -> IO[bytes]:
    assert end is not None
    return end


def _object(line: bytes) -> Mapping[str, Any] | None:
    try:
        value = loads(line)
    except StrictJSONError:
        return None
    return value if isinstance(value, dict) else None
