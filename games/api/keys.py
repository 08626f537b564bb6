"""A person's own tokens over the API; a bot's are under `/bots/{id}/tokens`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit import etag
from config.kit.operation import Operation, receipt_draft
from config.kit.params import StrictSerializer, read_body
from games.api.examples import asks, gets
from games.api.shapes import Shape
from games.authentication import actor_of, player_of
from games.models import Token
from games.services import keys
from games.services.keys import Made, Wanted

_TOKEN: Final[dict[str, Any]] = {
    "id": 41,
    "hint": "hlp_Xk3f",
    "label": "laptop",
    "scopes": ["play", "read"],
    "created_at": "2026-11-29T17:00:00.000Z",
    "expires_at": None,
    "last_used_at": None,
}
_LONGEST_DAYS: Final = 3650


class MyTokenShape(Shape):
    """A live token, without its secret."""

    id = s.IntegerField()
    hint = s.CharField()
    label = s.CharField()  # type: ignore[assignment]  # DRF's own attribute of that name
    scopes = s.ListField(child=s.ChoiceField(Token.Scope.choices))
    created_at = s.DateTimeField()
    expires_at = s.DateTimeField(allow_null=True)
    last_used_at = s.DateTimeField(allow_null=True)


class MyTokensShape(Shape):
    """All of them."""

    results = MyTokenShape(many=True)


class NewMyTokenShape(MyTokenShape):
    """A new one; `token` is shown once, and null when the request is repeated."""

    token = s.CharField(allow_null=True)


class NewMyTokenRequest(StrictSerializer):
    """What it may do, what it is for, how long it lives."""

    scopes = s.ListField(child=s.ChoiceField(Token.Scope.choices), min_length=1, max_length=4)
    label = s.CharField(max_length=80, default="", allow_blank=True)  # type: ignore[assignment]
    days = s.IntegerField(min_value=1, max_value=_LONGEST_DAYS, default=None, allow_null=True)


class NothingRequest(StrictSerializer):
    """Nothing."""


class MyTokens(Operation):
    """`/me/tokens`"""

    @extend_schema(
        operation_id="list_my_tokens",
        summary="List your live tokens",
        tags=["players"],
        responses=MyTokensShape,
        examples=[gets({"results": [_TOKEN]})],
    )
    def get(self, request: Request) -> HttpResponse:
        """The newest first."""
        player = player_of(request, Token.Scope.READ)
        return etag.answer(request, {"results": [_wire(row) for row in keys.live(player.pk)]})

    @extend_schema(
        operation_id="create_my_token",
        summary="Make a token",
        description=(
            "With some of your own token's scopes: `play`, `organise`, `bot`; each includes "
            "`read`. It is shown once."
        ),
        tags=["players"],
        request=NewMyTokenRequest,
        responses={201: NewMyTokenShape},
        examples=[
            asks({"scopes": ["play", "read"], "label": "laptop"}),
            gets({**_TOKEN, "token": "hlp_…"}),
        ],
    )
    def post(self, request: Request) -> Response:
        """Make one."""
        player = player_of(request)
        body = read_body(request, NewMyTokenRequest)
        wanted = Wanted(tuple(sorted(set(body["scopes"]))), body["label"], body["days"])
        draft = receipt_draft(request, actor_of(request))
        return _shown(keys.make(player, wanted, _held(request), draft))


class MyToken(Operation):
    """`/me/tokens/{id}`"""

    @extend_schema(
        operation_id="revoke_my_token",
        summary="End a token at once",
        description="Streams that were opened with it end within a minute.",
        tags=["players"],
        responses={204: None},
    )
    def delete(self, request: Request, token_id: int) -> Response:
        """End it."""
        keys.end(player_of(request), token_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


class RotateMyToken(Operation):
    """`/me/tokens/{id}/rotate`"""

    @extend_schema(
        operation_id="rotate_my_token",
        summary="Replace a token",
        description="The new one may do the same; the old one ends after 24 hours.",
        tags=["players"],
        request=NothingRequest,
        responses={201: NewMyTokenShape},
        examples=[asks({}), gets({**_TOKEN, "token": "hlp_…"})],
    )
    def post(self, request: Request, token_id: int) -> Response:
        """Rotate it."""
        player = player_of(request)
        read_body(request, NothingRequest)
        draft = receipt_draft(request, actor_of(request))
        return _shown(keys.rotate(player, token_id, _held(request), draft))


def _held(request: Request) -> Collection[str]:
    """What the asker may pass on; a session may do all that its player may."""
    token: object = request.auth
    if isinstance(token, Token):
        return {*token.scopes, Token.Scope.READ.value}
    return [scope.value for scope in Token.Scope]


def _shown(made: Made) -> Response:
    answer = {**_wire(made.token), "token": made.text}
    return Response(answer, status=status.HTTP_201_CREATED)


def _wire(row: Token) -> dict[str, Any]:
    names = ("hint", "label", "scopes", "created_at", "expires_at", "last_used_at")
    return {"id": row.pk, **{name: getattr(row, name) for name in names}}
