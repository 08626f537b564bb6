"""Models read by hand-written SQL where the ORM's compiling costs more than the statement.

Knows no table: the columns are those of the model, whatever they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import Model

Row = TypeVar("Row", bound=Model)


class Columns(Generic[Row]):
    """All columns of a model under a table's alias, and its objects from what they hold."""

    def __init__(self, model: type[Row], alias: str) -> None:
        self._model = model
        fields = model._meta.concrete_fields
        self._names = [field.attname for field in fields]
        self.sql = ", ".join(f'{alias}."{field.column}"' for field in fields)
        self._converters = [
            (at, convert, field)
            for at, field in enumerate(fields)
            if (convert := getattr(field, "from_db_value", None)) is not None
        ]

    def read(self, values: Iterator[Any]) -> Row:
        """The object whose columns come next."""
        row = [next(values) for _ in self._names]
        for at, convert, field in self._converters:
            row[at] = convert(row[at], field, connection)
        return self._model.from_db(DEFAULT_DB_ALIAS, self._names, row)


def fetch(statements: str, parameters: Sequence[Any]) -> Iterator[list[tuple[Any, ...]]]:
    """Send several statements at once; the rows of each.

    One way to the database and back, but each statement sees what was committed before it began.
    """
    with connection.cursor() as cursor:
        cursor.execute(statements, parameters)
        yield cursor.fetchall()
        while cursor.nextset():
            yield cursor.fetchall()
