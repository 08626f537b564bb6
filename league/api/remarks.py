"""Chips by hand and notes of organisers over the API."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit.operation import Operation, receipt_draft
from config.kit.params import read_body
from games.api.examples import asks, gets
from games.authentication import actor_of
from league.api.authority import organiser
from league.api.entries import PLAYER
from league.api.examples import CHIP_ROW, NOTE, listed
from league.api.shapes import (
    ChipsRequest,
    LedgerRowShape,
    NotesShape,
    NothingRequest,
    PageQuery,
)
from league.queries import documents, visible
from league.services import chips, notes
from league.services.chips import ByHand
from league.services.notes import Prose


class ChipsByHand(Operation):
    """`/competitions/{id}/entries/{player_id}/chips`"""

    @extend_schema(
        operation_id="give_chips",
        summary="Give or take chips by hand",
        description=(
            "With a reason, as a row of its own: `chip`, or `adjustment` where they are taken. "
            "They count before the deals of the round that is open, or is opened next."
        ),
        tags=["results"],
        parameters=[PLAYER],
        request=ChipsRequest,
        responses={201: LedgerRowShape},
        examples=[asks({"chips": 1, "reason": "late"}), gets(CHIP_ROW)],
    )
    def post(self, request: Request, competition_id: int, player_id: int) -> Response:
        """Give them."""
        by = organiser(request, competition_id)
        body = read_body(request, ChipsRequest)
        given = ByHand(player_id, body["chips"], body["reason"], Prose(body["note"], by.pk))
        actor = actor_of(request)
        row = chips.give(competition_id, given, actor, receipt_draft(request, actor))
        return Response(documents.ledger_row(row), status=status.HTTP_201_CREATED)


class Revocation(Operation):
    """`/competitions/{id}/ledger/{seq}/revoke`"""

    @extend_schema(
        operation_id="revoke_chips",
        summary="Revoke chips that were given or taken by hand",
        description="An `adjustment` that names the row; it can be revoked in its turn.",
        tags=["results"],
        request=NothingRequest,
        responses={201: LedgerRowShape},
        examples=[asks({}), gets({**CHIP_ROW, "event": "adjustment"})],
    )
    def post(self, request: Request, competition_id: int, seq: int) -> Response:
        """Revoke them."""
        organiser(request, competition_id)
        read_body(request, NothingRequest)
        actor = actor_of(request)
        row = chips.revoke(competition_id, seq, actor, receipt_draft(request, actor))
        return Response(documents.ledger_row(row), status=status.HTTP_201_CREATED)


class Notes(Operation):
    """`/competitions/{id}/notes`"""

    query = PageQuery

    @extend_schema(
        operation_id="list_notes",
        summary="List what organisers wrote",
        description="For the club's organisers; the newest first.",
        tags=["results"],
        parameters=[PageQuery],
        responses=NotesShape,
        examples=[gets(listed(NOTE))],
    )
    def get(self, request: Request, competition_id: int) -> HttpResponse:
        """The notes."""
        by = organiser(request, competition_id)
        rows = visible.competition(competition_id, by.pk).notes.select_related("author", "about")
        return self.listed(request, rows, "-id", lambda page: [documents.note(row) for row in page])


class OneNote(Operation):
    """`/competitions/{id}/notes/{note}`"""

    @extend_schema(
        operation_id="erase_note",
        summary="Erase a note",
        description="Text and salt are gone; the ledger keeps the hash, and its chain holds.",
        tags=["results"],
        responses={204: None},
    )
    def delete(self, request: Request, competition_id: int, note_id: int) -> Response:
        """Erase it."""
        organiser(request, competition_id)
        actor = actor_of(request)
        notes.erase(competition_id, note_id, actor, receipt_draft(request, actor))
        return Response(status=status.HTTP_204_NO_CONTENT)
