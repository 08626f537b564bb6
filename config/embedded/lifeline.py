"""Ties a Celery worker's own children to it, and says when it is ready.

The kernel ends only our direct child with us; a killed worker would leave its pool and beat behind.
"""

import os
from signal import Signals
from typing import Any

from celery.signals import beat_embedded_init, worker_process_init, worker_ready

from config.embedded.child import die_with


@worker_process_init.connect(weak=False)
@beat_embedded_init.connect(weak=False)
def _tie(**_: Any) -> None:
    tie = die_with(os.getppid(), Signals.SIGKILL)
    if tie:
        tie()


@worker_ready.connect(weak=False)
def _tell(**_: Any) -> None:
    # To the descriptor: Celery has put a logger in the place of sys.stdout.
    os.write(1, b"ready\n")
