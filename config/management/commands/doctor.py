"""`manage.py doctor`: is everything as a running service needs it? Says what to do where not."""

from __future__ import annotations

import shutil
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

from celery import current_app
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from config.env import NO_SECRET
from config.health import SWEEP_LATE_S
from config.kit.wake import age_s
from config.tasks import SWEEP

_SKEW_S = 2
_FREE_BYTES = 1 << 30


class Finding(NamedTuple):
    """One thing looked at: how it is, and what to do where it is not well."""

    what: str
    state: str
    advice: str = ""


class Command(BaseCommand):
    """Look at settings, database, clock, broker, sweep, workers, disk and mail."""

    help = "look at settings, database, clock, broker, sweep, disk and mail; exit 1 if one is ill"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """No arguments of its own."""

    def handle(self, *_: Any, **__: Any) -> None:
        """Print a line for each; fail if anything needs doing."""
        ill = 0
        for check in CHECKS:
            for finding in check():
                mark = "!!" if finding.advice else "ok"
                ill += bool(finding.advice)
                self.stdout.write(f"{mark}  {finding.what}: {finding.state}")
                if finding.advice:
                    self.stdout.write(f"      {finding.advice}")
        if ill:
            raise CommandError(f"{ill} to look at.", returncode=1)


def _settings() -> Iterator[Finding]:
    known = settings.SECRET_KEY == NO_SECRET
    yield Finding("secret key", "missing" if known else "set", "Set SECRET_KEY." if known else "")
    yield Finding("debug", "on", "Set DEBUG=0.") if settings.DEBUG else Finding("debug", "off")
    open_ = "*" in settings.ALLOWED_HOSTS
    hosts = ", ".join(settings.ALLOWED_HOSTS)
    yield Finding("hosts", hosts, "Name the hosts in ALLOWED_HOSTS." if open_ else "")


def _database() -> Iterator[Finding]:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_setting('server_version'), clock_timestamp()")
            version, now = cursor.fetchone()
        left = MigrationExecutor(connection)
        plan = left.migration_plan(left.loader.graph.leaf_nodes())
    except DatabaseError as error:
        yield Finding("database", str(error).splitlines()[0], "Check DATABASE_URL.")
        return
    yield Finding("database", f"PostgreSQL {version}")
    skew = abs((datetime.now(UTC) - now).total_seconds())
    yield Finding(
        "clock",
        f"{skew:.1f} s from the database's",
        "Set the clock: deadlines are the database's." if skew > _SKEW_S else "",
    )
    waiting = f"{len(plan)} to apply" if plan else "all applied"
    yield Finding("migrations", waiting, "Run `manage.py migrate`." if plan else "")
    swept = age_s(SWEEP)
    told = "never ran" if swept is None else f"ran {swept:.0f} s ago"
    late = swept is None or swept > SWEEP_LATE_S
    yield Finding("sweep", told, "Start a worker with beat." if late else "")


def _broker() -> Iterator[Finding]:
    start = time.monotonic()
    try:
        with current_app.connection_for_write(connect_timeout=2) as broker:
            broker.ensure_connection(max_retries=1, timeout=2)
    except Exception as error:
        yield Finding("broker", type(error).__name__, "Check CELERY_BROKER_URL.")
        return
    yield Finding("broker", f"answers in {1000 * (time.monotonic() - start):.0f} ms")
    workers = current_app.control.ping(timeout=1.0) or []
    none = "" if workers else "Start a worker: nothing is played without one."
    yield Finding("workers", str(len(workers)), none)


def _disk() -> Iterator[Finding]:
    folder = next(f for f in (settings.STATE_DIR, *settings.STATE_DIR.parents) if f.exists())
    free = shutil.disk_usage(folder).free
    few = "Make room: without it nothing can be written." if free < _FREE_BYTES else ""
    yield Finding("disk", f"{free / (1 << 30):.1f} GiB free", few)


def _mail() -> Iterator[Finding]:
    backend = settings.EMAIL_BACKEND.rpartition(".")[0].rpartition(".")[2]
    yield Finding("mail", f"by {backend}")


CHECKS: tuple[Callable[[], Iterator[Finding]], ...] = (_settings, _database, _broker, _disk, _mail)
