"""What is one's own over the API: games and invitations."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from config.kit import etag
from config.kit.operation import Operation
from config.kit.paging import addresses, page
from games import queries
from games.api.examples import LISTED, gets
from games.api.lobby import listed_page
from games.api.shapes import GamesShape, MyGamesQuery
from games.authentication import player_of
from games.models import Token


class MyGames(Operation):
    """`/me/games`"""

    query = MyGamesQuery

    @extend_schema(
        operation_id="list_my_games",
        summary="List your games and invitations",
        description="The newest first. Games that ended long ago are in `/games/finished`.",
        tags=["players"],
        parameters=[MyGamesQuery],
        responses=GamesShape,
        examples=[gets({"results": [LISTED], "next": None})],
    )
    def get(self, request: Request) -> HttpResponse:
        """Those in which one has a seat, or one is kept."""
        player = player_of(request, Token.Scope.READ)
        cursor, limit, state = self.params.get("cursor"), self.params["limit"], None
        games, filters = queries.by_player(player.pk), {"limit": limit}
        if (state := self.params.get("state")) is not None:
            games, filters = games.filter(state=state), {**filters, "state": state}
        found = page(games, "-id", cursor, limit, addresses(request.path, filters))
        return etag.answer(request, listed_page(found))
