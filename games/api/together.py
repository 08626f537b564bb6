"""Playing with whom over the API: quick game, invitation, resigning, rematch."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit.operation import Operation, receipt_draft
from config.kit.params import read_body
from games.api.examples import GAME, asks, gets
from games.api.lobby import placed_answer
from games.api.shapes import GameShape, InviteRequest, NothingRequest, QuickGameRequest
from games.authentication import actor_of, player_of
from games.services import invitations, lobby, quick, rematch, resigning
from games.services.lobby import Plan

FORMING = {**GAME, "state": "forming", "view": None, "legal": [], "move_number": None}


class QuickGame(Operation):
    """`/games/quick`"""

    @extend_schema(
        operation_id="play_quick_game",
        summary="Sit down at once with whoever wants the same",
        description=(
            "You join an open public game of these rules, players and clock, or open one; house "
            "bots take the seats that are free after 20 seconds. You are ready by that: cards are "
            "dealt when the last seat is taken."
        ),
        tags=["games"],
        request=QuickGameRequest,
        responses={201: GameShape},
        examples=[
            asks({"preset": "table", "players": 3, "entropy": "rain on the roof"}),
            gets(FORMING),
        ],
    )
    def post(self, request: Request) -> Response:
        """Asking again while waiting gives the same game."""
        player = player_of(request)
        body = read_body(request, QuickGameRequest)
        draft = receipt_draft(request, actor_of(request))
        plan = Plan(
            rules=lobby.rules_for(body["preset"], body["options"], body["house_rules"]),
            seats=[""] * body["players"],
            move_ms=body["move_ms"],
            bank_ms=body["bank_ms"],
        )
        return placed_answer(
            request,
            lambda: quick.quick_game(player, plan, body["entropy"], draft),
            status.HTTP_201_CREATED,
        )


class Invitations(Operation):
    """`/games/{id}/invitations`"""

    @extend_schema(
        operation_id="invite_player",
        summary="Keep a free seat for somebody",
        description=(
            "Of those who sit there. The invited see the game among their own (`/me/games`), also "
            "a private one; they `join` it, or `leave` it to give the seat up."
        ),
        tags=["games"],
        request=InviteRequest,
        responses={201: GameShape},
        examples=[asks({"player": 17}), gets(FORMING)],
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Inviting somebody again changes nothing."""
        player = player_of(request)
        body = read_body(request, InviteRequest)
        draft = receipt_draft(request, actor_of(request))
        return placed_answer(
            request,
            lambda: invitations.invite(game_id, player, body["player"], draft),
            status.HTTP_201_CREATED,
        )


class Resign(Operation):
    """`/games/{id}/resign`"""

    @extend_schema(
        operation_id="resign_game",
        summary="Give a game up",
        description=(
            "The stand-in plays your seat on, and it is placed last of those who were left. When "
            "no person, or only one seat that has not resigned, is left, the game ends at once."
        ),
        tags=["games"],
        request=NothingRequest,
        responses=GameShape,
        examples=[asks({}), gets(GAME)],
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Saying it again changes nothing."""
        player = player_of(request)
        read_body(request, NothingRequest)
        draft = receipt_draft(request, actor_of(request))
        return placed_answer(request, lambda: resigning.resign(game_id, player, draft))


class Rematch(Operation):
    """`/games/{id}/rematch`"""

    @extend_schema(
        operation_id="ask_for_rematch",
        summary="Ask for a rematch",
        description=(
            "The same table and rules with a new deck; who lost deals. You sit down, the seats of "
            "the others are kept for them. Who asks next sits down in the same game."
        ),
        tags=["games"],
        request=NothingRequest,
        responses={201: GameShape},
        examples=[asks({}), gets(FORMING)],
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Only of a game that is over, for a week."""
        player = player_of(request)
        read_body(request, NothingRequest)
        draft = receipt_draft(request, actor_of(request))
        return placed_answer(
            request,
            lambda: rematch.rematch(game_id, player, draft),
            status.HTTP_201_CREATED,
        )
