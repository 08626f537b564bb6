"""One statement that is asked all the time: prepared, and without asking first if anybody listens.

Django asks every connection once a request whether it lives, and PostgreSQL plans every statement
anew; for a poll that finds nothing new both cost more than the statement itself.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import psycopg
from django.db import connection


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


def _prepared(
    raw: psycopg.Connection[Any], statement: str, params: Sequence[Any]
) -> list[tuple[Any, ...]]:
    usual, raw.prepare_threshold = raw.prepare_threshold, 0
    try:
        with psycopg.Cursor(raw) as cursor:
            return cursor.execute(statement.encode(), params).fetchall()
    finally:
        raw.prepare_threshold = usual
