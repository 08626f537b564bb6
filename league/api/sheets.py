"""Spreadsheets of others over the API: results into a competition, names into a club."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit.operation import Operation, receipt_draft
from config.kit.params import read_body
from games.api.examples import asks, gets
from games.authentication import actor_of
from league.api.authority import organised, organiser
from league.api.examples import CHANGE
from league.api.imports import DocumentParser
from league.api.shapes.sheets import (
    NamesRequest,
    NamesShape,
    SheetCheckRequest,
    SheetCheckShape,
    SheetDoneShape,
    SheetRequest,
)
from league.services import name_imports, sheet_imports
from league.services.sheet_plans import Given, Result, Taken
from league.services.typed_tables import By, wire
from league.tasks import follow_up

FILE = "bmltaSw3LjkuDQpBaW5vLDENCg=="
_RESULT = {"cell": "A2", "what": "new", "round": 1, "table": 2, "deal": 1}
CHECKED = {
    "ledger_seq": 14,
    "results": [{**_RESULT, "places": [[1, 2, 4], [3]], "before": None}],
    "chips": [],
    "changes": [CHANGE],
}


class SheetCheck(Operation):
    """`/competitions/{id}/sheets/check`"""

    parser_classes = (DocumentParser,)

    @extend_schema(
        operation_id="check_sheet",
        summary="Try a spreadsheet of results",
        description=(
            "Nothing is entered. A line a deal (round or date, table, deal, last, or places as "
            "columns 1, 2, 3 …), a line a seat as our export has it, or a grid of chips: names "
            "down, nights across. What can't be taken is a 422 that names each cell in `faults`."
        ),
        tags=["results"],
        request=SheetCheckRequest,
        responses=SheetCheckShape,
        examples=[asks({"file": FILE}), gets(CHECKED)],
    )
    def post(self, request: Request, competition_id: int) -> Response:
        """Try it."""
        by = organiser(request, competition_id)
        body = read_body(request, SheetCheckRequest)
        tried = sheet_imports.check(
            competition_id, body["file"], By(by.pk, organiser=True), Taken(body["taken_as"])
        )
        return Response(checked(tried))


class Sheets(Operation):
    """`/competitions/{id}/sheets`"""

    parser_classes = (DocumentParser,)

    @extend_schema(
        operation_id="enter_sheet",
        summary="Enter a spreadsheet of results",
        description=(
            "All of it or nothing, into the ledger with the source `import`. The same again "
            "changes nothing. `seen` is what its check was answered with as `ledger_seq`."
        ),
        tags=["results"],
        request=SheetRequest,
        responses=SheetDoneShape,
        examples=[asks({"file": FILE, "seen": 14}), gets({"changed": 12, "same": 0})],
    )
    def post(self, request: Request, competition_id: int) -> Response:
        """Enter it."""
        by = organiser(request, competition_id)
        body = read_body(request, SheetRequest)
        done = sheet_imports.enter(
            competition_id,
            body["file"],
            By(by.pk, organiser=True),
            body["seen"],
            Taken(body["taken_as"]),
            receipt_draft(request, actor_of(request)),
        )
        follow_up(done.due)
        return Response({"changed": done.changed, "same": done.same})


class NameLists(Operation):
    """`/clubs/{slug}/name-lists`"""

    parser_classes = (DocumentParser,)

    @extend_schema(
        operation_id="import_names",
        summary="Add members from a list of names",
        description="A CSV or XLSX file, a name a line. Who is a member already stays as he is.",
        tags=["clubs"],
        request=NamesRequest,
        responses=NamesShape,
        examples=[
            asks({"file": FILE, "dry_run": True}),
            gets({"added": ["Aino"], "known": ["Bertil"], "looks_like": {}}),
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Add them."""
        club, by = organised(request, slug)
        body = read_body(request, NamesRequest)
        draft = None if body["dry_run"] else receipt_draft(request, actor_of(request))
        found = name_imports.add(club.pk, body["file"], by, dry_run=body["dry_run"], receipt=draft)
        return Response(found._asdict())


def checked(tried: sheet_imports.Checked) -> dict[str, Any]:
    """What a try has found, as it is told."""
    return {
        "ledger_seq": tried.ledger_seq,
        "results": [_result(one) for one in tried.plan.results],
        "chips": list(_chips(tried.plan.chips)),
        "changes": [
            {"entry": one.entry, "before": one.before, "after": one.after} for one in tried.changes
        ],
    }


def _result(one: Result) -> dict[str, Any]:
    return {
        "cell": one.cell,
        "what": one.what.value,
        "round": one.where.round,
        "table": one.where.table,
        "deal": one.where.deal,
        "places": wire(one.places),
        "before": one.before,
    }


def _chips(given: Iterable[Given]) -> Iterable[dict[str, Any]]:
    for one in given:
        told = {"cell": one.cell, "what": one.what.value, "entry": one.entry}
        yield {**told, "chips": one.chips, "before": one.before}
