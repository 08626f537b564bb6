"""The product's own processes as commands: preparation, web, worker, extras.

Owns their arguments; the same are used by `make up` and by the end-to-end tests.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from signal import Signals

from config.embedded.child import Command, Stage
from config.embedded.extras import Extra

PROJECT = Path(__file__).resolve().parents[2]
WORKER_PROCESSES = 3
ROOT_WARNING = "ignore:You're running the worker with superuser privileges"


def prepare(environment: Mapping[str, str]) -> Command:
    """Return the one-off that brings the database up to date and loads the demo."""
    return _python("setup", ["-m", "config.embedded.prepare"], environment)


def web(environment: Mapping[str, str], listener: int) -> Command:
    """Return the web server on a listening socket of ours, so that it can end and come back.

    `listener` is the socket's descriptor; connections wait in it meanwhile.
    """
    argv = [
        *("-m", "uvicorn", "config.asgi:application", "--fd", str(listener)),
        *("--no-access-log", "--log-level", "warning", "--no-server-header"),
        # Open streams would keep it from ending.
        *("--timeout-graceful-shutdown", "3"),
    ]
    stages = (Stage(Signals.SIGTERM, 5.0),)
    return _python("web", argv, environment, keep_fds=(listener,), stages=stages)


def worker(environment: Mapping[str, str]) -> Command:
    """Return Celery's worker with beat inside.

    SIGTERM lets running slices end, SIGQUIT gives them back unfinished. Beat has one task every few
    seconds, so it keeps no file of when it last ran.
    """
    argv = [
        *("-m", "celery", "--quiet", "-A", "config.celery", "worker", "--loglevel", "WARNING"),
        *("--concurrency", str(WORKER_PROCESSES), "--without-gossip", "--without-mingle"),
        *("--include", "config.embedded.lifeline"),
        *("-B", "--scheduler", "celery.beat.Scheduler"),
    ]
    stages = (Stage(Signals.SIGTERM, 3.0), Stage(Signals.SIGQUIT, 1.5))
    quiet = {"PYTHONWARNINGS": ROOT_WARNING} if os.geteuid() == 0 else {}
    return _python("worker", argv, {**environment, **quiet}, stages=stages)


def beside(chosen: Extra, environment: Mapping[str, str]) -> Command:
    """Return one of the wiring's own processes."""
    return Command(chosen.name, chosen.argv, {**environment, **chosen.env}, PROJECT)


def _python(
    name: str,
    argv: list[str],
    environment: Mapping[str, str],
    keep_fds: tuple[int, ...] = (),
    stages: tuple[Stage, ...] = (Stage(Signals.SIGTERM, 5.0),),
) -> Command:
    return Command(
        name, [sys.executable, *argv], environment, PROJECT, keep_fds=keep_fds, stages=stages
    )
