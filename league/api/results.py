"""Results over the API: typed in, disputed, ruled, corrected, undone."""

from __future__ import annotations

from dataclasses import asdict

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit.operation import Operation, receipt_draft
from config.kit.params import read_body
from games.api.examples import asks, gets
from games.authentication import actor_of, player_of
from league.api.authority import organiser
from league.api.examples import CHANGE, CORRECTED, CORRECTION, DEAL_RESULT
from league.api.shapes import (
    ChangesShape,
    CorrectedShape,
    CorrectionRequest,
    DealResultRequest,
    DealResultShape,
    NothingRequest,
    SheetShape,
    UndoRequest,
    VoidRequest,
)
from league.queries import documents, roles, visible
from league.services import confirming, corrections, typed
from league.services.corrections import Correction, Undoing, Voiding
from league.services.typed import Entered
from league.services.typed_tables import By, Where
from league.tasks import follow_up


class DealResults(Operation):
    """`/competitions/{id}/rounds/{round}/tables/{table}/deals/{deal}/result`"""

    @extend_schema(
        operation_id="enter_result",
        summary="Enter a result",
        description=(
            "By an organiser it counts at once; by a player when a second seat says the same, the "
            "next deal is entered from another seat, or nobody objects for a while. Another result "
            "than the one that stands needs its version as `seen`: from a seat it is a dispute, "
            "from an organiser the ruling. An empty list: the deal was abandoned."
        ),
        tags=["results"],
        request=DealResultRequest,
        responses=DealResultShape,
        examples=[asks({"places": [[3], [1, 4], [2]]}), gets(DEAL_RESULT)],
    )
    def post(
        self,
        request: Request,
        competition_id: int,
        round_number: int,
        table_number: int,
        deal: int,
    ) -> Response:
        """Enter it."""
        player = player_of(request)
        body = read_body(request, DealResultRequest)
        club = visible.competition(competition_id, player.pk).club
        by = By(player.pk, roles.keeps_scores(club, player.pk))
        entered = typed.enter(
            Where(competition_id, round_number, table_number, deal),
            body["places"],
            by,
            body["seen"],
            receipt_draft(request, actor_of(request)),
            body["note"],
            body["forfeits"],
        )
        return _entered(entered)


class VoidDeal(Operation):
    """`/competitions/{id}/rounds/{round}/tables/{table}/deals/{deal}/void`"""

    @extend_schema(
        operation_id="void_result",
        summary="Let a typed result count nowhere",
        description="It comes back when it is entered again with this version as `seen`.",
        tags=["results"],
        request=VoidRequest,
        responses=DealResultShape,
        examples=[
            asks({"reason": "wrong_deal", "seen": 1}),
            gets({**DEAL_RESULT, "version": 2, "state": "void", "step": "voided"}),
        ],
    )
    def post(
        self,
        request: Request,
        competition_id: int,
        round_number: int,
        table_number: int,
        deal: int,
    ) -> Response:
        """Void it."""
        by = organiser(request, competition_id)
        body = read_body(request, VoidRequest)
        where = Where(competition_id, round_number, table_number, deal)
        draft = receipt_draft(request, actor_of(request))
        ruler = By(by.pk, organiser=True)
        return _entered(typed.void(where, ruler, receipt=draft, **body))


class Sheet(Operation):
    """`/competitions/{id}/rounds/{round}/tables/{table}/confirm`"""

    @extend_schema(
        operation_id="confirm_sheet",
        summary="Confirm the whole sheet of a table",
        description="From a seat: all that other seats have reported; by an organiser: all.",
        tags=["results"],
        request=NothingRequest,
        responses=SheetShape,
        examples=[asks({}), gets({"deals": 3})],
    )
    def post(
        self, request: Request, competition_id: int, round_number: int, table_number: int
    ) -> Response:
        """Confirm it."""
        player = player_of(request)
        read_body(request, NothingRequest)
        club = visible.competition(competition_id, player.pk).club
        by = By(player.pk, roles.keeps_scores(club, player.pk))
        where = Where(competition_id, round_number, table_number, 1)
        draft = receipt_draft(request, actor_of(request))
        deals, due = confirming.confirm_sheet(where, by, draft)
        follow_up(due)
        return Response({"deals": deals})


class VoidTable(Operation):
    """`/competitions/{id}/rounds/{round}/tables/{table}/void`"""

    @extend_schema(
        operation_id="void_table",
        summary="Let the result of a table count nowhere",
        description=(
            "No chips, no meetings, no deals; undo brings it back. Refused where tables decide who "
            "goes on. Deals that were typed in are voided one by one."
        ),
        tags=["results"],
        request=VoidRequest,
        responses=CorrectedShape,
        examples=[asks({"reason": "ruling", "seen": 1}), gets(CORRECTED)],
    )
    def post(
        self, request: Request, competition_id: int, round_number: int, table_number: int
    ) -> Response:
        """Void it."""
        organiser(request, competition_id)
        body = read_body(request, VoidRequest)
        actor = actor_of(request)
        wanted = Voiding(competition_id, round_number, table_number, **body)
        version, due = corrections.void(wanted, actor, receipt_draft(request, actor))
        follow_up(due)
        return Response({"version": version})


class CorrectionPreview(Operation):
    """`/competitions/{id}/rounds/{round}/tables/{table}/correction/preview`"""

    @extend_schema(
        operation_id="preview_correction",
        summary="See what a correction would change",
        description="Nothing is changed.",
        tags=["results"],
        request=CorrectionRequest,
        responses=ChangesShape,
        examples=[asks(CORRECTION), gets({"results": [CHANGE]})],
    )
    def post(
        self, request: Request, competition_id: int, round_number: int, table_number: int
    ) -> Response:
        """Try it and take it back."""
        organiser(request, competition_id)
        body = read_body(request, CorrectionRequest)
        wanted = Correction(competition_id, round_number, table_number, **body)
        return Response({"results": [asdict(change) for change in corrections.preview(wanted)]})


class Corrections(Operation):
    """`/competitions/{id}/rounds/{round}/tables/{table}/correction`"""

    @extend_schema(
        operation_id="correct_result",
        summary="Correct a table's result",
        description=(
            "A new version with a reason; the old one stays in the ledger. Later rounds are kept "
            "as played; with `redraw` the next one is drawn anew while nothing of it has begun."
        ),
        tags=["results"],
        request=CorrectionRequest,
        responses=CorrectedShape,
        examples=[asks(CORRECTION), gets(CORRECTED)],
    )
    def post(
        self, request: Request, competition_id: int, round_number: int, table_number: int
    ) -> Response:
        """Correct it."""
        organiser(request, competition_id)
        body = read_body(request, CorrectionRequest)
        wanted = Correction(competition_id, round_number, table_number, **body)
        actor = actor_of(request)
        version, due = corrections.amend(wanted, actor, receipt_draft(request, actor))
        follow_up(due)
        return Response({"version": version})


class Undo(Operation):
    """`/competitions/{id}/rounds/{round}/tables/{table}/correction/undo`"""

    @extend_schema(
        operation_id="undo_correction",
        summary="Undo the newest correction of a table",
        description="Writes the version before it again, as another version.",
        tags=["results"],
        request=UndoRequest,
        responses=CorrectedShape,
        examples=[asks({"seen": 2}), gets({"version": 3})],
    )
    def post(
        self, request: Request, competition_id: int, round_number: int, table_number: int
    ) -> Response:
        """Undo it."""
        organiser(request, competition_id)
        seen = read_body(request, UndoRequest)["seen"]
        actor = actor_of(request)
        draft = receipt_draft(request, actor)
        wanted = Undoing(competition_id, round_number, table_number, seen)
        version, due = corrections.undo(wanted, actor, draft)
        follow_up(due)
        return Response({"version": version})


def _entered(entered: Entered) -> Response:
    follow_up(entered.due)
    return Response({**documents.deal_result(entered.result), "step": entered.step.value})
