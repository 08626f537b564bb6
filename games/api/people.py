"""Players over the API: make one, ask who one is."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit import etag
from config.kit.operation import Operation, receipt_draft
from config.kit.params import read_body
from games.api.examples import AINO, asks, gets
from games.api.shapes import MeShape, NewPlayerRequest, NewPlayerShape
from games.authentication import actor_of, player_of
from games.models import Token
from games.queries.objects import player_wire
from games.services import players

SCOPES = [scope.value for scope in Token.Scope]


class Players(Operation):
    """`/players`"""

    @extend_schema(
        operation_id="create_player",
        summary="Make a player and get a token",
        description="A guest with a nickname. The token is shown once; keep it.",
        tags=["players"],
        request=NewPlayerRequest,
        responses={201: NewPlayerShape},
        examples=[asks({"name": "Aino"}), gets({"player": AINO, "token": "hlp_…"})],
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """Create a guest."""
        body = read_body(request, NewPlayerRequest)
        made = players.create(body["name"], receipt=receipt_draft(request, actor_of(request)))
        answer = {"player": player_wire(made.player), "token": made.token}
        return Response(answer, status=status.HTTP_201_CREATED)


class Me(Operation):
    """`/me`"""

    @extend_schema(
        operation_id="get_me",
        summary="Ask who you are",
        tags=["players"],
        responses=MeShape,
        examples=[gets({"player": AINO, "scopes": ["play", "read"]})],
    )
    def get(self, request: Request) -> HttpResponse:
        """The player behind token or session."""
        player = player_of(request, Token.Scope.READ)
        scopes = request.auth.scopes if isinstance(request.auth, Token) else SCOPES
        return etag.answer(request, {"player": player_wire(player), "scopes": scopes})
