"""Emptying the database after a test that commits.

TRUNCATE makes new files for every table and index, a quarter of a second each time; most tests have
written to few tables, so DELETE takes milliseconds.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.core.management.color import Style
from django.db.backends.postgresql.operations import DatabaseOperations

# Written by the migrations and the same ever after.
_KEPT: Final = ("django_content_type", "auth_permission")
# Triggers would refuse it (the ledger), or look after keys that all go. The lock waits, as TRUNCATE
# does, for what a thread of the test may still be writing.
_BEGIN: Final = "SET LOCAL session_replication_role = replica; LOCK TABLE {} IN EXCLUSIVE MODE"


def by_deleting() -> None:
    """Have Django empty the test database by DELETE."""
    truncating = DatabaseOperations.sql_flush

    def sql_flush(
        self: DatabaseOperations,
        style: Style,
        tables: Sequence[str],
        *,
        reset_sequences: bool = False,
        allow_cascade: bool = False,
    ) -> list[str]:
        if reset_sequences or not tables:
            return truncating(
                self, style, tables, reset_sequences=reset_sequences, allow_cascade=allow_cascade
            )
        names = [self.quote_name(name) for name in sorted(tables) if name not in _KEPT]
        return [_BEGIN.format(", ".join(names)), *_deletions(names)]

    DatabaseOperations.sql_flush = sql_flush  # type: ignore[method-assign, assignment]


def _deletions(names: Iterable[str]) -> list[Any]:
    return ["; ".join(f"DELETE FROM {name}" for name in names)]
