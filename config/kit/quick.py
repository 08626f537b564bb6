"""What is asked all the time: prepared, or at least without asking first if anybody listens.

Django asks every connection once a request whether it lives, and PostgreSQL plans every statement
anew; for a poll that finds nothing new both cost more than the statement itself.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import psycopg
from django.db import InterfaceError, OperationalError, connection

Result = TypeVar("Result")


def rows(statement: str, params: Sequence[Any]) -> list[tuple[Any, ...]]:
    """What a SELECT finds. Only outside of transactions; placeholders as in psycopg.

    A connection that has died is found out by the failure, and asked again the long way.
    """
    raw = connection.connection
    if raw is not None and not connection.in_atomic_block:
        with contextlib.suppress(psycopg.Error):
            return _prepared(raw, statement, params)
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
        return list(cursor.fetchall())


def repeatable(task: Callable[[], Result]) -> Result:
    """Run a task that may safely be run twice, without first asking whether the connection lives.

    One that has died is found out by the failure; then it is opened anew and the task runs again.
    """
    if connection.connection is None or connection.in_atomic_block:
        return task()
    connection.health_check_done = True  # type: ignore[attr-defined]
    try:
        return task()
    except (OperationalError, InterfaceError):
        connection.close()
        return task()


def _prepared(
    raw: psycopg.Connection[Any], statement: str, params: Sequence[Any]
) -> list[tuple[Any, ...]]:
    usual, raw.prepare_threshold = raw.prepare_threshold, 0
    try:
        with psycopg.Cursor(raw) as cursor:
            return cursor.execute(statement.encode(), params).fetchall()
    finally:
        raw.prepare_threshold = usual
