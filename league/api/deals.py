"""Corrections of single deals over the API: looked at first, then made or undone."""

from __future__ import annotations

from dataclasses import asdict

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit.operation import Operation, receipt_draft
from config.kit.params import read_body
from games.api.examples import asks, gets
from league.api.authority import organiser
from league.api.examples import CHANGE, CORRECTED
from league.api.shapes import CorrectedShape, DealChangeRequest, DealPreviewShape
from league.formats.reasons import UNDO
from league.services import deal_corrections
from league.services.deal_corrections import Change
from league.services.trials import Seating
from league.services.typed_tables import By, Where
from league.tasks import follow_up

ASKED = {"change": "correct", "places": [[3], [1, 4], [2]], "reason": "typo", "seen": 1}
SEATED = {"round": 3, "table": 1, "entries": [3, 1, 4, 2]}


class DealPreview(Operation):
    """`/competitions/{id}/rounds/{round}/tables/{table}/deals/{deal}/correction/preview`"""

    @extend_schema(
        operation_id="preview_deal_correction",
        summary="See what a correction of a deal would change",
        description=(
            "Nothing is changed. `kept`: later tables as they were drawn or played; `drawn`: those "
            "that `redraw` would seat anew, refused with `round_begun` where anything has begun."
        ),
        tags=["results"],
        request=DealChangeRequest,
        responses=DealPreviewShape,
        examples=[asks(ASKED), gets({"results": [CHANGE], "kept": [SEATED], "drawn": []})],
    )
    def post(
        self,
        request: Request,
        competition_id: int,
        round_number: int,
        table_number: int,
        deal: int,
    ) -> Response:
        """Try it and take it back."""
        by = By(organiser(request, competition_id).pk, organiser=True)
        wanted = _wanted(request, Where(competition_id, round_number, table_number, deal))
        found = deal_corrections.preview(wanted, by)
        return Response(
            {
                "results": [asdict(change) for change in found.changes],
                "kept": _seating(found.kept),
                "drawn": _seating(found.drawn),
            }
        )


class DealCorrection(Operation):
    """`/competitions/{id}/rounds/{round}/tables/{table}/deals/{deal}/correction`"""

    @extend_schema(
        operation_id="correct_deal",
        summary="Correct a deal, void it, or undo its newest change",
        description=(
            "Another version with a reason; all of them stay in the ledger, and undo is one too. "
            "Later rounds are kept as played; with `redraw` the next one is drawn anew while "
            "nothing of it has begun. A deal that was played here is corrected in its table, whose "
            "version `seen` then is."
        ),
        tags=["results"],
        request=DealChangeRequest,
        responses=CorrectedShape,
        examples=[asks(ASKED), gets(CORRECTED)],
    )
    def post(
        self,
        request: Request,
        competition_id: int,
        round_number: int,
        table_number: int,
        deal: int,
    ) -> Response:
        """Correct it."""
        by = By(organiser(request, competition_id).pk, organiser=True)
        wanted = _wanted(request, Where(competition_id, round_number, table_number, deal))
        draft = receipt_draft(request, by.actor)
        version, due = deal_corrections.make(wanted, by, draft)
        follow_up(due)
        return Response({"version": version})


def _wanted(request: Request, where: Where) -> Change:
    body = read_body(request, DealChangeRequest)
    change = body["change"]
    return Change(
        where,
        UNDO if change == "undo" else body["reason"],
        body["seen"],
        places=body["places"],
        void=change == "void",
        undo=change == "undo",
        redraw=body["redraw"],
        note=body["note"],
    )


def _seating(seating: Seating) -> list[dict[str, object]]:
    return [
        {"round": number, "table": table, "entries": seats}
        for (number, table), seats in seating.items()
    ]
