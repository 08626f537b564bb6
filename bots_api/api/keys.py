"""Keys of a bot over the API: the secrets that sign calls to it, the tokens that speak for it."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from bots_api import queries
from bots_api.api.owner_shapes import NewTokenShape, SecretShape, SecretsShape, TokensShape
from bots_api.api.shapes import NothingRequest
from bots_api.services import secrets
from config.kit import etag
from config.kit.operation import Operation, receipt_draft
from config.kit.params import read_body
from games.api.examples import asks, gets
from games.authentication import actor_of, player_of
from games.models import Token

_AT = "2026-11-28T09:30:00.000Z"


class Secrets(Operation):
    """`/bots/{id}/secrets`"""

    @extend_schema(
        operation_id="list_bot_secrets",
        summary="List the live signing secrets of your bot",
        description="When they were made; their text is shown once, when it is new.",
        tags=["bots"],
        responses=SecretsShape,
        examples=[gets({"results": [{"id": 8, "created_at": _AT}]})],
    )
    def get(self, request: Request, bot_id: int) -> HttpResponse:
        """One, or two while rotating."""
        owner = player_of(request, Token.Scope.BOT)
        queries.owned(bot_id, owner.pk)
        rows = queries.live_secrets(bot_id).order_by("-pk")
        shown = [{"id": row.pk, "created_at": row.created_at} for row in rows]
        return etag.answer(request, {"results": shown})

    @extend_schema(
        operation_id="rotate_bot_secret",
        summary="Make a new signing secret",
        description="The one before it stays good until the next rotation; older ones end.",
        tags=["bots"],
        request=NothingRequest,
        responses={201: SecretShape},
        examples=[asks({}), gets({"signing_secret": "whsec_…"})],
    )
    def post(self, request: Request, bot_id: int) -> Response:
        """Rotate."""
        owner = player_of(request, Token.Scope.BOT)
        read_body(request, NothingRequest)
        draft = receipt_draft(request, actor_of(request))
        secret = secrets.rotate(bot_id, owner.pk, draft)
        return Response({"signing_secret": secret}, status=status.HTTP_201_CREATED)


class OneSecret(Operation):
    """`/bots/{id}/secrets/{secret}`"""

    @extend_schema(
        operation_id="revoke_bot_secret",
        summary="End a signing secret at once",
        description="The only one can't be ended: calls are signed.",
        tags=["bots"],
        responses={204: None},
    )
    def delete(self, request: Request, bot_id: int, secret_id: int) -> Response:
        """End it."""
        owner = player_of(request, Token.Scope.BOT)
        secrets.revoke(bot_id, owner.pk, secret_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Tokens(Operation):
    """`/bots/{id}/tokens`"""

    @extend_schema(
        operation_id="list_bot_tokens",
        summary="List the live tokens of your bot",
        tags=["bots"],
        responses=TokensShape,
        examples=[
            gets(
                {
                    "results": [
                        {"id": 31, "hint": "hlb_Xk3f", "created_at": _AT, "last_used_at": None}
                    ]
                }
            )
        ],
    )
    def get(self, request: Request, bot_id: int) -> HttpResponse:
        """The newest first."""
        owner = player_of(request, Token.Scope.BOT)
        queries.owned(bot_id, owner.pk)
        rows = queries.live_tokens(bot_id).order_by("-pk")
        shown = [
            {
                "id": row.pk,
                "hint": row.hint,
                "created_at": row.created_at,
                "last_used_at": row.last_used_at,
            }
            for row in rows
        ]
        return etag.answer(request, {"results": shown})

    @extend_schema(
        operation_id="rotate_bot_token",
        summary="Make a new token for your bot",
        description="The one before it stays good until the next rotation; older ones end.",
        tags=["bots"],
        request=NothingRequest,
        responses={201: NewTokenShape},
        examples=[asks({}), gets({"token": "hlb_…"})],
    )
    def post(self, request: Request, bot_id: int) -> Response:
        """Rotate."""
        owner = player_of(request, Token.Scope.BOT)
        read_body(request, NothingRequest)
        draft = receipt_draft(request, actor_of(request))
        token = secrets.rotate_token(bot_id, owner.pk, draft)
        return Response({"token": token}, status=status.HTTP_201_CREATED)


class OneToken(Operation):
    """`/bots/{id}/tokens/{token}`"""

    @extend_schema(
        operation_id="revoke_bot_token",
        summary="End a token of your bot at once",
        tags=["bots"],
        responses={204: None},
    )
    def delete(self, request: Request, bot_id: int, token_id: int) -> Response:
        """End it."""
        owner = player_of(request, Token.Scope.BOT)
        secrets.revoke_token(bot_id, owner.pk, token_id)
        return Response(status=status.HTTP_204_NO_CONTENT)
