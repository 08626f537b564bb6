"""One tidy log for all processes: time, name, text. Owns what a person is spared from reading."""

import contextlib
import json
import os
import re
import sys
import time
from collections.abc import Mapping
from typing import TextIO

NAME_WIDTH = 8
RESET, DIM, RED, YELLOW = "\x1b[0m", "\x1b[2m", "\x1b[31m", "\x1b[33m"
COLOURS = tuple(f"\x1b[{code}m" for code in (36, 32, 35, 34, 96, 92, 95, 94))
TROUBLE = {
    RED: re.compile(r"\b(ERROR|CRITICAL|FATAL|PANIC|error|critical|Traceback)\b"),
    YELLOW: re.compile(r"\b(WARNING|warning)\b"),
}
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
# What every start and stop says; the supervisor tells both in its own words.
SPARED: Mapping[str, re.Pattern[str]] = {
    "postgres": re.compile(
        r"LOG:  (starting PostgreSQL|listening on|database system (was shut down at|is ready|is "
        r"shut down)|received \w+ shutdown|aborting any active|background worker|shutting down|"
        r"redo |invalid record length|checkpoint|could not receive data from client)"
        r"|FATAL:  (the database system is (starting up|shutting down|not yet accepting)"
        r"|terminating connection)|DETAIL:  |HINT:  "
    ),
    "valkey": re.compile(r"overcommit|Received SIG|ready to exit|scheduling shutdown|oO0OoO0Oo"),
    "web": re.compile(r"INFO: +(Started server|Waiting for|Application|Uvicorn running|Shutting)"),
    "worker": re.compile(
        r"Connected to redis|mingle|beat: Starting|superuser privileges|Please specify a "
        r"different user|User information: uid|worker: (Warm|Cold) shutdown|"
        r"Requeuing undeliverable|Hitting Ctrl|^\s*$"
    ),
}


class Console:
    """Writes lines; `say` is safe to call when the terminal is gone."""

    def __init__(self, out: TextIO = sys.stdout) -> None:
        self._out = out
        self._coloured = out.isatty() and "NO_COLOR" not in os.environ
        self._colours: dict[str, str] = {}

    def say(self, name: str, text: str) -> None:
        """Write one line of process `name`; control characters in it are shown, not obeyed."""
        text = CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
        stamp, label = time.strftime("%H:%M:%S"), name.ljust(NAME_WIDTH)
        if self._coloured:
            stamp, label = f"{DIM}{stamp}{RESET}", f"{self._colour(name)}{label}{RESET}"
            text = _highlight(text)
        self.plain(f"{stamp} {label} {text}")

    def plain(self, text: str) -> None:
        """Write a line as it is."""
        # When nobody reads any more, stopping in order matters more than saying so.
        with contextlib.suppress(OSError, ValueError):
            self._out.write(f"{text}\n")
            self._out.flush()

    def relay(self, name: str, raw: str) -> None:
        """Write what a process said, unless it is of no use to a person."""
        text = _readable(ESCAPES.sub("", raw).rstrip())
        spared = SPARED.get(name)
        if text and not (spared and spared.search(text)):
            self.say(name, text)

    def _colour(self, name: str) -> str:
        return self._colours.setdefault(name, COLOURS[len(self._colours) % len(COLOURS)])


def _readable(text: str) -> str:
    """Turn a structured log line into `level event key=value`; leave any other as it is."""
    if not text.startswith("{"):
        return text
    try:
        told = json.loads(text)
    except ValueError:
        return text
    if not isinstance(told, dict) or "event" not in told:
        return text
    told.pop("timestamp", None)
    level, event = told.pop("level", ""), told.pop("event")
    head = f"{level} {event}" if level not in ("", "info") else str(event)
    return " ".join([head, *(f"{key}={value}" for key, value in told.items())])


def _highlight(text: str) -> str:
    for colour, trouble in TROUBLE.items():
        if trouble.search(text):
            return f"{colour}{text}{RESET}"
    return text
