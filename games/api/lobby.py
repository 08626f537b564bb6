"""Games of people over the API, up to the deal: create, find, join, leave, ready."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit.operation import Operation, receipt_draft
from config.kit.params import read_body
from games import queries
from games.api.examples import GAME, LISTED, asks, gets
from games.api.play import current
from games.api.shapes import (
    GameShape,
    GamesShape,
    JoinRequest,
    NewGameRequest,
    NothingRequest,
    OpenGamesQuery,
    ReadyRequest,
)
from games.authentication import actor_of, player_of
from games.engine import PRESETS
from games.models import Game
from games.queries.objects import game_wire, listed
from games.services import lobby
from games.services.lobby import Placed, Plan
from games.tasks import follow_up


class Games(Operation):
    """`/games`"""

    query = OpenGamesQuery

    @extend_schema(
        operation_id="list_open_games",
        summary="List games that wait for players",
        tags=["games"],
        parameters=[OpenGamesQuery],
        responses=GamesShape,
        examples=[gets({"results": [{**LISTED, "state": "forming"}], "next": None})],
        auth=[],
    )
    def get(self, request: Request) -> HttpResponse:
        """Public ones only, the oldest first."""
        asked = self.params
        preset = asked.get("preset")
        wanted = queries.Open(
            asked.get("rules") if preset is None else PRESETS[preset].hash,
            asked.get("players"),
            asked["correspondence"],
        )
        return self.listed(request, queries.open_games(wanted), "id", listed_games)

    @extend_schema(
        operation_id="create_game",
        summary="Create a game",
        description="You take the first open seat. Cards are dealt when all are ready.",
        tags=["games"],
        request=NewGameRequest,
        responses={201: GameShape},
        examples=[
            asks({"preset": "table", "seats": ["open", "house:lowest"]}),
            gets({**GAME, "state": "ready", "view": None, "legal": [], "move_number": None}),
        ],
    )
    def post(self, request: Request) -> Response:
        """Create it."""
        player = player_of(request)
        draft = receipt_draft(request, actor_of(request))
        plan = _plan(request)
        return placed_answer(
            request, lambda: lobby.create_game(player, plan, draft), status.HTTP_201_CREATED
        )


def listed_games(rows: list[Game]) -> list[Any]:
    """Games of a list as JSON."""
    return [listed(row, sorted(row.seats.all(), key=lambda s: s.index)) for row in rows]


class Join(Operation):
    """`/games/{id}/join`"""

    @extend_schema(
        operation_id="join_game",
        summary="Take a seat",
        description="A private game is found by its `code` alone, or by an invitation.",
        tags=["games"],
        request=JoinRequest,
        responses=GameShape,
        examples=[asks({"seat": 1}), gets(GAME)],
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Joining again changes nothing."""
        player = player_of(request)
        body = read_body(request, JoinRequest)
        draft = receipt_draft(request, actor_of(request))
        return placed_answer(
            request, lambda: lobby.join(game_id, player, body["seat"], draft, body["code"])
        )


class Leave(Operation):
    """`/games/{id}/leave`"""

    @extend_schema(
        operation_id="leave_game",
        summary="Give up a seat before the deal",
        tags=["games"],
        request=NothingRequest,
        responses={204: None},
        examples=[asks({})],
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """The last one out calls the game off."""
        player = player_of(request)
        read_body(request, NothingRequest)
        lobby.leave(game_id, player, receipt_draft(request, actor_of(request)))
        return Response(status=status.HTTP_204_NO_CONTENT)


class Ready(Operation):
    """`/games/{id}/ready`"""

    @extend_schema(
        operation_id="be_ready",
        summary="Say that you are ready, with entropy for the deck",
        description="When the last seat is ready the entropy closes and the cards are dealt.",
        tags=["games"],
        request=ReadyRequest,
        responses=GameShape,
        examples=[asks({"entropy": "rain on the roof"}), gets(GAME)],
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Saying it again changes nothing."""
        player = player_of(request)
        body = read_body(request, ReadyRequest)
        draft = receipt_draft(request, actor_of(request))
        return placed_answer(request, lambda: lobby.ready(game_id, player, body["entropy"], draft))


def _plan(request: Request) -> Plan:
    body = read_body(request, NewGameRequest)
    return Plan(
        rules=lobby.rules_for(body["preset"], body["options"], body["house_rules"]),
        seats=["" if seat == "open" else seat for seat in body["seats"]],
        move_ms=body["move_ms"],
        bank_ms=body["bank_ms"],
        move_days=body["move_days"],
        visibility=Game.Visibility(body["visibility"]),
    )


def placed_answer(request: Request, act: Callable[[], Placed], code: int = 200) -> Response:
    """Do it, follow it up, and answer with the game as its seat sees it."""
    placed = act()
    follow_up(placed.progress)
    player = player_of(request)
    played = current(placed.game_id, player)
    return Response(game_wire(played, played.seat_of(player.pk)), status=code)
