"""Wake workers. The broker carries no facts: a lost wake costs time, never work.

At most one wake of a kind is on its way: the mark is set by a conditional update here and
cleared by the task before it looks for work, so nothing that came due after that is missed.
"""

import structlog
from celery import current_app
from django.db import DatabaseError, connection

from config.kit.models import WakeMark

log = structlog.get_logger(__name__)

QUIET_SECONDS = 5

_MARK = """
    INSERT INTO kit_wakemark (kind, woken_at) VALUES (%s, clock_timestamp())
    ON CONFLICT (kind) DO UPDATE SET woken_at = clock_timestamp()
    WHERE kit_wakemark.woken_at < clock_timestamp() - make_interval(secs => %s)
"""


def wake(task: str) -> None:
    """Send the task `task` unless one is on its way; swallows a dead broker.

    Call it outside any transaction, at the edge (view or task), never from a service.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute(_MARK, [task, QUIET_SECONDS])
            if not cursor.rowcount:
                return
        current_app.send_task(task, retry=False, expires=60)
    except DatabaseError:
        raise
    except Exception:
        # The sweep finds the work; the user must not pay for a broker that is down.
        log.warning("wake_failed", task=task, exc_info=True)


def woken(task: str) -> None:
    """Note that `task` has begun to look for work: later wakes must go through."""
    WakeMark.objects.filter(kind=task).delete()


def send(task: str, *args: str | int) -> None:
    """Send one task with arguments at once; swallows a dead broker like `wake`."""
    try:
        current_app.send_task(task, args=args, retry=False, expires=60)
    except Exception:
        log.warning("wake_failed", task=task, exc_info=True)
