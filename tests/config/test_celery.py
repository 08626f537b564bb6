"""A worker's connection to the database stays from task to task, and one that has died goes."""

import contextlib
from importlib import import_module
from typing import Any

import pytest
from celery.signals import celeryd_init, task_postrun, task_prerun
from django.db import OperationalError, connection

from config.celery import app
from config.tasks import sweep

pytestmark = pytest.mark.django_db(transaction=True)


def _task_ran() -> None:
    """What Celery does around a task, and our own receivers."""
    fixup = import_module("celery.fixups.django").DjangoWorkerFixup(app)
    fixup.on_task_prerun(sweep)
    task_prerun.send(sender=sweep, task_id="1")
    task_postrun.send(sender=sweep, task_id="1")
    fixup.on_task_postrun(sweep)


def _asked(statement: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()


def test_a_worker_that_lost_its_broker_with_tasks_under_way_lets_go_of_it_and_lives_on() -> None:
    celeryd_init.send(sender="worker", instance=None, conf=app.conf, options={})
    with app.connection() as broker:
        channel: Any = broker.channel()
        queue = broker.SimpleQueue("lost", channel=channel)
        queue.put({})
        assert queue.get(timeout=10)
        # As kombu leaves it when the connection breaks; what is under way is not acknowledged.
        channel._disconnect_pools()
        channel._pool = None
        channel.connection.client = None
        channel.qos.restore_unacked_once()


def test_the_next_task_finds_the_connection_of_the_last() -> None:
    before = _asked("SELECT pg_backend_pid()")
    _task_ran()
    assert _asked("SELECT pg_backend_pid()") == before


def test_a_connection_that_broke_in_a_task_is_replaced_before_the_next() -> None:
    before = _asked("SELECT pg_backend_pid()")
    with contextlib.suppress(OperationalError):
        _asked("SELECT pg_terminate_backend(pg_backend_pid())")
    _task_ran()
    assert _asked("SELECT pg_backend_pid()") != before
