"""The database's clock, the only one that judges deadlines of people and pull bots."""

from datetime import datetime

from django.db import connection
from django.db.models import DateTimeField, Func


def now() -> datetime:
    """The wall clock of the database at this moment, not that of the transaction's start."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (moment,) = cursor.fetchone()
    return moment  # type: ignore[no-any-return]


class ClockTimestamp(Func):
    """The same in a query: when this row was read or written, not when the transaction began."""

    function = "clock_timestamp"
    output_field = DateTimeField()
