"""The one periodic task: ask every app for what is overdue and wake it."""

import structlog
from celery import shared_task
from django.conf import settings
from django.utils.module_loading import import_string

from config.kit.wake import note

SWEEP = "config.sweep"

log = structlog.get_logger(__name__)


@shared_task(name=SWEEP)
def sweep() -> None:
    """Call each sweeper; one that fails must not keep the others from running."""
    note(SWEEP)
    for path in settings.SWEEPERS:
        try:
            import_string(path)()
        except Exception:
            log.exception("sweeper_failed", sweeper=path)
