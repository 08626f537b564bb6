"""What a bot has done, over the API: versions and figures for all, notices for its owner."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from bots_api import queries
from bots_api.api.examples import FIGURES, NOTICE, VERSION, listed
from bots_api.api.owner_shapes import BotFiguresShape, NoticesShape, VersionsShape
from bots_api.api.shapes import PageQuery
from bots_api.queries import documents, versions
from bots_api.services import notices
from config.kit import etag
from config.kit.operation import Operation
from games.api.examples import gets
from games.authentication import player_of
from games.models import Token


class Versions(Operation):
    """`/bots/{id}/versions`"""

    query = PageQuery

    @extend_schema(
        operation_id="list_bot_versions",
        summary="List the versions of a bot",
        description="Each with its own figures: games, faults, how long its answers took.",
        tags=["bots"],
        parameters=[PageQuery],
        responses=VersionsShape,
        examples=[gets(listed(VERSION))],
        auth=[],
    )
    def get(self, request: Request, bot_id: int) -> HttpResponse:
        """The newest first."""
        queries.bot(bot_id)
        return self.listed(request, versions.of_bot(bot_id), "-id", documents.versions)


class Figures(Operation):
    """`/bots/{id}/figures`"""

    @extend_schema(
        operation_id="get_bot_figures",
        summary="Get the figures of a bot",
        description="All its versions together: games, faults by kind, a histogram of its answers.",
        tags=["bots"],
        responses=BotFiguresShape,
        examples=[gets({"figures": FIGURES, "faults_by_kind": {"timeout": 2}})],
        auth=[],
    )
    def get(self, request: Request, bot_id: int) -> HttpResponse:
        """The figures."""
        queries.bot(bot_id)
        shown = documents.figures(versions.total(bot_id))
        by_kind = queries.faults_by_kind(bot_id)
        return etag.answer(request, {"figures": shown, "faults_by_kind": by_kind})


class Notices(Operation):
    """`/bots/{id}/notices`"""

    query = PageQuery

    @extend_schema(
        operation_id="list_bot_notices",
        summary="List what you were told about your bot",
        description="Suspended, restored, bound to a version: what is mailed to its owner too.",
        tags=["bots"],
        parameters=[PageQuery],
        responses=NoticesShape,
        examples=[gets(listed(NOTICE))],
    )
    def get(self, request: Request, bot_id: int) -> HttpResponse:
        """The newest first."""
        queries.owned(bot_id, player_of(request, Token.Scope.BOT).pk)
        rows = queries.notices(bot_id)
        return self.listed(request, rows, "-id", lambda page: [notices.wire(row) for row in page])
