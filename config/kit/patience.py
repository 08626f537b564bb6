"""Wait for a database that is away: what was worked out meanwhile need not be lost with it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

import structlog
from django.db import InterfaceError, OperationalError, close_old_connections

log = structlog.get_logger(__name__)

PAUSE_S: Final = 0.5
# Longer than a restart after a crash takes; then whatever leases there were are long over.
LONGEST_S: Final = 30.0

Given = ParamSpec("Given")
Result = TypeVar("Result")


def patiently(
    function: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs
) -> Result:
    """Call a function that may safely be repeated until the database answers.

    Only outside of transactions. Raises what it raised last when the database stays away.
    """
    gives_up = time.monotonic() + LONGEST_S
    while True:
        try:
            return function(*args, **kwargs)
        except (OperationalError, InterfaceError):
            if time.monotonic() > gives_up:
                raise
            log.warning("database_is_away", waits=PAUSE_S)
        # The broken connection goes, the next call opens a new one.
        close_old_connections()
        time.sleep(PAUSE_S)
