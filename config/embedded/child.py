"""One foreground child process: started so that it dies with us, stopped with growing insistence.

Knows nothing of what the program is.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from signal import Signals
from typing import IO, NamedTuple

from config.embedded.account import Account
from config.embedded.watchdog import Watchdog

PR_SET_PDEATHSIG = 1
LINUX = sys.platform == "linux"
_prctl = ctypes.CDLL(None).prctl if LINUX else None
_watchdog = None if LINUX else Watchdog()


class Stage(NamedTuple):
    """One step of stopping: the signal, and how many seconds it is given to work."""

    signal: Signals
    patience_s: float


@dataclass(frozen=True)
class Command:
    """A program to run: what, as whom, where, and how it is asked to stop.

    `keep_fds` stay open in it under their numbers; `death_signal` is what the kernel sends it when
    the thread that started it is gone (Linux).
    """

    name: str
    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: Path
    account: Account | None = None
    keep_fds: tuple[int, ...] = ()
    stages: tuple[Stage, ...] = (Stage(Signals.SIGTERM, 5.0),)
    death_signal: Signals = Signals.SIGKILL


def spawn(command: Command, output: IO[bytes] | int) -> subprocess.Popen[bytes]:
    """Start `command` in a session of its own, both its outputs to `output`."""
    account = command.account
    process = subprocess.Popen(
        command.argv,
        env=dict(command.env),
        cwd=command.cwd,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        # A Ctrl-C at the terminal must reach the supervisor alone, which stops them in order.
        start_new_session=True,
        user=account.uid if account else None,
        group=account.gid if account else None,
        extra_groups=[] if account else None,
        pass_fds=command.keep_fds,
        preexec_fn=die_with(os.getpid(), command.death_signal),  # noqa: PLW1509
    )
    if _watchdog:
        _watchdog.watch(process.pid, command.death_signal)
    return process


def die_with(parent: int, death_signal: Signals) -> Callable[[], None] | None:
    """Return what a new child does to be signalled when its parent's thread ends, if it can.

    It runs after the change of user, because that clears the setting; and a parent that ended
    before it was made is noticed by its process id.
    """
    if _prctl is None:
        return None

    def tie() -> None:
        _prctl(PR_SET_PDEATHSIG, int(death_signal))
        if os.getppid() != parent:
            os._exit(1)

    return tie


def stop(process: subprocess.Popen[bytes], stages: Sequence[Stage]) -> None:
    """Ask the process to end by each stage in turn, then kill what is left of its group."""
    for stage in stages:
        if process.poll() is not None:
            break
        process.send_signal(stage.signal)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(stage.patience_s)
    kill_group(process)


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and its own children (a worker's pool outlives a killed worker)."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if _watchdog:
        _watchdog.forget(process.pid)
