"""Stream tickets over the API."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit.operation import Operation, receipt_draft
from config.kit.params import read_body
from games.api.examples import asks, gets
from games.api.shapes import TicketRequest, TicketShape
from games.authentication import actor_of, player_of
from games.models import Token
from games.services import tickets

PATH = "/api/v1/games/01990d5c-7a8e-7c3a-9a55-0b1f2d3c4e5f/events"


class StreamTickets(Operation):
    """`/stream-tickets`"""

    @extend_schema(
        operation_id="create_stream_ticket",
        summary="Get a ticket for a stream",
        description=(
            "A browser's `EventSource` can't send your token: open the stream as "
            "`PATH?ticket=TICKET`. It serves once, for 60 seconds, for this path only; the stream "
            "ends with the token that the ticket was made with."
        ),
        tags=["games"],
        request=TicketRequest,
        responses={201: TicketShape},
        examples=[asks({"path": PATH}), gets({"ticket": "hlt_…", "seconds": 60})],
    )
    def post(self, request: Request) -> Response:
        """Make one."""
        player = player_of(request, Token.Scope.READ)
        body = read_body(request, TicketRequest)
        token: object = request.auth
        made = tickets.issue(
            player,
            token if isinstance(token, Token) else None,
            body["path"],
            receipt_draft(request, actor_of(request)),
        )
        answer = {"ticket": made, "seconds": int(tickets.LIFE.total_seconds())}
        return Response(answer, status=status.HTTP_201_CREATED)
