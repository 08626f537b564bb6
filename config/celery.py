"""The Celery application. It only wakes; what there is to do stands in the rows."""

import os
from importlib import import_module
from typing import Any

from celery import Celery
from celery.signals import celeryd_init, task_postrun, task_prerun
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import close_old_connections

from config.env import refuse_without_secret

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("housuliiga")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["config", "games", "league", "bots_api"])


@celeryd_init.connect
def check_secret(**_: object) -> None:
    """A worker signs calls and opens sealed secrets: it needs the key of all the others."""
    try:
        refuse_without_secret(settings.SECRET_KEY)
    except ImproperlyConfigured as error:
        # An exception of a signal's receiver would only be logged.
        raise SystemExit(str(error)) from error


@celeryd_init.connect
def leave_unacknowledged(**_: object) -> None:
    """A worker that loses its broker puts back nothing: with tasks under way kombu would try that
    through the lost connection, and the worker would end by it. Tasks only wake, the sweep finds
    what there is to do, and the broker gives them out again itself."""
    import_module("kombu.transport.redis").QoS.restore_at_shutdown = False


@task_prerun.connect
@task_postrun.connect
def keep_connections(sender: Any, **_: object) -> None:
    """Let a process keep its connection from task to task, as a web process does from request to
    request: one that is broken or old goes. Celery itself would close it around every task."""
    if not sender.request.is_eager:
        close_old_connections()
