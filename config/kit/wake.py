"""Wake workers. The broker carries no facts: a lost wake costs time, never work.

At most one wake of a kind is on its way: the mark is set by a conditional update here and
cleared by the task before it looks for work, so nothing that came due after that is missed.
"""

from time import monotonic

import structlog
from celery import current_app
from django.db import connection

from config.kit.models import WakeMark

log = structlog.get_logger(__name__)

QUIET_SECONDS = 5
# A broker that hangs costs a request its time-out; after one, this process leaves it alone so long.
PAUSE_SECONDS = 10.0

_MARK = """
    INSERT INTO kit_wakemark (kind, woken_at) VALUES (%s, clock_timestamp())
    ON CONFLICT (kind) DO UPDATE SET woken_at = clock_timestamp()
    WHERE kit_wakemark.woken_at < clock_timestamp() - make_interval(secs => %s)
"""

_AGE = """
    SELECT extract(epoch FROM clock_timestamp() - woken_at) FROM kit_wakemark WHERE kind = %s
"""


class _Broker:
    """The way to the broker from this process."""

    out_until = 0.0

    def send(self, task: str, *args: str) -> None:
        """Send a task, or leave it to the sweep while the broker is out."""
        if monotonic() < self.out_until:
            return
        try:
            current_app.send_task(task, args=args, retry=False, expires=60)
        except Exception:
            # The sweep finds the work; the user must not pay for a broker that is down.
            self.out_until = monotonic() + PAUSE_SECONDS
            log.warning("wake_failed", task=task, exc_info=True)


_broker = _Broker()


def wake(task: str) -> None:
    """Send the task `task` unless one is on its way; swallows a dead broker.

    Call it outside any transaction, at the edge (view or task), never from a service.
    """
    with connection.cursor() as cursor:
        cursor.execute(_MARK, [task, QUIET_SECONDS])
        if not cursor.rowcount:
            return
    _broker.send(task)


def woken(task: str) -> None:
    """Note that `task` has begun to look for work: later wakes must go through."""
    WakeMark.objects.filter(kind=task).delete()


def note(kind: str) -> None:
    """Note that something has just run; `age_s` tells how long ago."""
    with connection.cursor() as cursor:
        cursor.execute(_MARK, [kind, 0])


def age_s(kind: str) -> float | None:
    """Seconds since it was last noted, by the database's clock; None for never."""
    with connection.cursor() as cursor:
        cursor.execute(_AGE, [kind])
        row = cursor.fetchone()
        return None if row is None else float(row[0])


def send(task: str, *args: str) -> None:
    """Send one task with arguments at once; swallows a dead broker like `wake`."""
    _broker.send(task, *args)
