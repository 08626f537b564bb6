"""What a correction of a whole table rests on: the table, its versions, deals that can have been.

Works under the competition's lock; what is written stands in corrections.py.
"""

from collections.abc import Sequence

from league.errors import (
    BadResultError,
    NoDealError,
    ResultChangedError,
    ResultVoidError,
    TableNotFoundError,
)
from league.formats.field import Places
from league.formats.saying import SayingError, places_of
from league.models import Competition, LedgerRow, Table


def table_at(competition: Competition, round_number: int, table_number: int) -> Table:
    """The table. Raises `TableNotFoundError`."""
    tables = Table.objects.select_related("round__stage").filter(
        round__competition=competition, round__number=round_number, number=table_number
    )
    table = tables.first()
    if table is None:
        raise TableNotFoundError("There is no such table.")
    return table


def versions(table: Table) -> list[LedgerRow]:
    """The rows that told the whole table, oldest first. Raises `NoDealError`."""
    rows = LedgerRow.objects.filter(table_ref=table.pk, kind__startswith="result.")
    voided = LedgerRow.Kind.RESULT_VOIDED
    found = [
        row
        for row in rows.order_by("seq")
        if "deals" in row.body or (row.kind == voided and "deal" not in row.body)
    ]
    if not found:
        raise NoDealError("The table has no result yet that could be corrected.")
    return found


def newest(table: Table, seen: int, *, even_void: bool = False) -> LedgerRow:
    """The version that stands. Raises `ResultChangedError` if it is not the one `seen`, and
    `ResultVoidError`."""
    last = versions(table)[-1]
    if seen != last.body["version"]:
        raise ResultChangedError(
            "The result has changed since.",
            version=last.body["version"],
            deals=last.body.get("deals", []),
        )
    if last.kind == LedgerRow.Kind.RESULT_VOIDED and not even_void:
        raise ResultVoidError("The result is void.", version=seen)
    return last


def checked(table: Table, deals: Sequence[Sequence[Sequence[int]]]) -> list[Places]:
    """Deals that can have been played there. Raises `BadResultError`."""
    sat = list(table.seats.order_by("index").values_list("entry__number", flat=True))
    try:
        known = [places_of(deal, sat, []) for deal in deals if deal]
    except SayingError as error:
        raise BadResultError(str(error), field="deals") from error
    # Only sudden deaths are played by some of the table.
    for deal in known[: table.deals_planned]:
        if sum(len(group) for group in deal) != len(sat):
            raise BadResultError("Everybody at the table played this deal.", field="deals")
    return known
