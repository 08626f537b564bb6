"""A bot behind a command line: a line of JSON in, a line of JSON out (bots.md, "A turn").

Owns the process and the clock. What an answer is worth the rules decide, elsewhere.
"""

import json
import os
import selectors
import shlex
import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

_HANDSHAKE_S: Final = 20.0
_MAX_REPLY: Final = 16 * 1024
PROTOCOL: Final = 1


class Said(NamedTuple):
    """What came back: a reply, or the kind of fault; and how long it took."""

    reply: Mapping[str, Any] | None
    fault: str | None
    spent_ms: float


class NoHandshakeError(Exception):
    """A program whose first line is no handshake."""


class StdioBot:
    """One running program. Raises `NoHandshakeError` when it is started."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._left = b""
        self._late = 0
        """Answers still to come that came too late; each is skipped once it is there."""
        self._process = subprocess.Popen(  # noqa: S603 - whoever calls the arena names the command
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        self._ready = selectors.DefaultSelector()
        assert self._process.stdout is not None
        self._ready.register(self._process.stdout, selectors.EVENT_READ)
        self._shake_hands()

    def ask(self, message: Mapping[str, Any], budget_ms: float) -> Said:
        """Send one message and wait for its answer at most so long."""
        began = time.monotonic()
        fault, line = self._exchange(message, began + budget_ms / 1000)
        spent = (time.monotonic() - began) * 1000
        if line is None:
            return Said(None, fault, spent)
        reply = _object(line)
        return Said(reply, None if reply is not None else "bad_json", spent)

    def close(self) -> None:
        """End the program, gently at first."""
        process = self._process
        self._ready.close()
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.close()
            process.wait(1)
        except (subprocess.TimeoutExpired, OSError):
            process.kill()
            process.wait()
        process.stdout.close()

    def _shake_hands(self) -> None:
        """The first line says {"protocol": 1, "version": "..."}."""
        line = self._read_line(time.monotonic() + _HANDSHAKE_S)
        said = None if line is None else _object(line)
        if said is None or said.get("protocol") != PROTOCOL:
            self.close()
            raise NoHandshakeError(f"{shlex.join(self._command)}: no handshake in its first line")

    def _exchange(
        self, message: Mapping[str, Any], until: float
    ) -> tuple[str | None, bytes | None]:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        except OSError:
            return "connect", None
        while True:
            line = self._read_line(until)
            if line is None:
                ended = self._process.poll() is not None
                self._late += not ended
                return "connect" if ended else "timeout", None
            if not self._late:
                return None, line
            self._late -= 1

    def _read_line(self, until: float) -> bytes | None:
        assert self._process.stdout is not None
        while b"\n" not in self._left:
            if len(self._left) > _MAX_REPLY:
                break
            left = until - time.monotonic()
            if left <= 0 or not self._ready.select(left):
                return None
            got = os.read(self._process.stdout.fileno(), 65536)
            if not got:
                self._process.wait()
                return None
            self._left += got
        line, _, self._left = self._left.partition(b"\n")
        return line


def _object(line: bytes) -> Mapping[str, Any] | None:
    try:
        value = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _refuse(constant: str) -> None:
    raise ValueError(constant)
