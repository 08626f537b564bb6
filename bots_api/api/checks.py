"""Checks of bots over the API: ask for one, read the reports."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from bots_api import queries
from bots_api.api.examples import CHECK, listed
from bots_api.api.shapes import CheckShape, ChecksShape, NothingRequest, PageQuery
from bots_api.queries import documents
from bots_api.services import checks
from bots_api.tasks import CHECK as CHECK_TASK
from config.kit import etag
from config.kit.operation import Operation, receipt_draft
from config.kit.params import read_body
from config.kit.wake import send
from games.api.examples import gets
from games.authentication import actor_of, player_of, viewer_of
from games.models import Token


class Check(Operation):
    """`/bots/{id}/check`"""

    @extend_schema(
        operation_id="check_bot",
        summary="Have your bot checked",
        description=(
            "Handshake, an echo, twelve positions, one of them twice, one message of 64 KiB. "
            "The answer is the report to be: get it again until its `state` is no longer `waiting`."
        ),
        tags=["bots"],
        request=NothingRequest,
        responses={202: CheckShape},
        examples=[
            OpenApiExample(
                "answer",
                value={**CHECK, "state": "waiting", "steps": [], "finished_at": None},
                response_only=True,
                status_codes=["202"],
            )
        ],
    )
    def post(self, request: Request, bot_id: int) -> Response:
        """Ask for it; a task carries it out."""
        owner = player_of(request, Token.Scope.BOT)
        read_body(request, NothingRequest)
        report = checks.ask(bot_id, owner.pk, receipt_draft(request, actor_of(request)))
        send(CHECK_TASK, str(report.pk))
        return Response(documents.check(report, mine=True), status=status.HTTP_202_ACCEPTED)


class Checks(Operation):
    """`/bots/{id}/checks`"""

    query = PageQuery

    @extend_schema(
        operation_id="list_bot_checks",
        summary="List the checks of a bot",
        tags=["bots"],
        parameters=[PageQuery],
        responses=ChecksShape,
        examples=[gets(listed(CHECK))],
        auth=[],
    )
    def get(self, request: Request, bot_id: int) -> HttpResponse:
        """The newest first."""
        mine = _is_owner(request, bot_id)
        rows = queries.checks(bot_id)
        return self.listed(
            request, rows, "-id", lambda page: [documents.check(row, mine) for row in page]
        )


class OneCheck(Operation):
    """`/bots/{id}/checks/{check}`"""

    @extend_schema(
        operation_id="get_bot_check",
        summary="Get the report of a check",
        tags=["bots"],
        responses=CheckShape,
        examples=[gets(CHECK)],
        auth=[],
    )
    def get(self, request: Request, bot_id: int, check_id: int) -> HttpResponse:
        """The report."""
        mine = _is_owner(request, bot_id)
        return etag.answer(request, documents.check(queries.check(bot_id, check_id), mine))


def _is_owner(request: Request, bot_id: int) -> bool:
    viewer, owner_id = viewer_of(request), queries.bot(bot_id).player.owner_id
    return viewer is not None and viewer.pk == owner_id
