"""Sparring over the API: games against house bots within seconds, before any check."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from bots_api import queries
from bots_api.api.examples import SPARRING, listed
from bots_api.api.owner_shapes import BeganShape, SparringRequest, SparringShape, SparringsShape
from bots_api.api.shapes import PageQuery
from bots_api.queries import documents
from bots_api.services import sparring
from bots_api.services.sparring import Bout
from config.kit import etag
from config.kit.operation import Operation, receipt_draft
from config.kit.params import read_body
from games.api.examples import asks, gets
from games.authentication import actor_of, player_of
from games.models import Token
from games.services.progress import Progress
from games.tasks import follow_up


class Sparrings(Operation):
    """`/bots/{id}/sparring`"""

    query = PageQuery

    @extend_schema(
        operation_id="list_bot_sparring",
        summary="List the sparring games of a bot",
        tags=["bots"],
        parameters=[PageQuery],
        responses=SparringsShape,
        examples=[gets(listed(SPARRING))],
        auth=[],
    )
    def get(self, request: Request, bot_id: int) -> HttpResponse:
        """The newest first."""
        queries.bot(bot_id)
        return self.listed(request, queries.sparring(bot_id), "-id", documents.sparrings)

    @extend_schema(
        operation_id="spar",
        summary="Let your bot play against house bots",
        description=(
            "Unrated games that begin within seconds, needing no check. Get them again until "
            "`state` is `over`; their faults are in the bot's inbox."
        ),
        tags=["bots"],
        request=SparringRequest,
        responses={201: BeganShape},
        examples=[
            asks({"house": ["lowest", "random"], "preset": "table", "games": 1}),
            OpenApiExample(
                "answer",
                value={"results": [{**SPARRING, "state": "ready", "place": None, "ending": None}]},
                response_only=True,
                status_codes=["201"],
            ),
        ],
    )
    def post(self, request: Request, bot_id: int) -> Response:
        """Begin."""
        owner = player_of(request, Token.Scope.BOT)
        bout = Bout(**read_body(request, SparringRequest))
        rows = sparring.begin(bot_id, owner.pk, bout, receipt_draft(request, actor_of(request)))
        follow_up(Progress(driven=True))
        answer = {"results": documents.sparrings(rows)}
        return Response(answer, status=status.HTTP_201_CREATED)


class OneSparring(Operation):
    """`/bots/{id}/sparring/{sparring}`"""

    @extend_schema(
        operation_id="get_bot_sparring",
        summary="Get a sparring game of a bot",
        tags=["bots"],
        responses=SparringShape,
        examples=[gets(SPARRING)],
        auth=[],
    )
    def get(self, request: Request, bot_id: int, sparring_id: int) -> HttpResponse:
        """The game, and how it went for the bot."""
        (shown,) = documents.sparrings([queries.one_sparring(bot_id, sparring_id)])
        return etag.answer(request, shown)
