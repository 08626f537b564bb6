"""The database's clock, the only one that judges deadlines of people and pull bots."""

from datetime import datetime

from django.db import connection


def now() -> datetime:
    """The wall clock of the database at this moment, not that of the transaction's start."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (moment,) = cursor.fetchone()
    return moment  # type: ignore[no-any-return]
