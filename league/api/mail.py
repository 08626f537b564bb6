"""Which letters of leagues one gets, over the API."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit import etag
from config.kit.operation import Operation
from config.kit.params import StrictSerializer, read_body
from games.api.examples import asks, gets
from games.authentication import player_of
from games.models import Token
from league.models import Letter
from league.services import letters

EXAMPLE = {"declined": ["seated"]}


class MailChoiceRequest(StrictSerializer):
    """The kinds of letters that you don't want."""

    declined = s.ListField(child=s.ChoiceField(Letter.Event.choices), max_length=20)


class MailChoiceShape(s.Serializer[Any]):
    """The kinds of letters that you don't want; you get the others, if your account has an
    address."""

    declined = s.ListField(child=s.ChoiceField(Letter.Event.choices))


class MyMail(Operation):
    """`/me/mail`"""

    @extend_schema(
        operation_id="get_my_mail",
        summary="Get which letters of leagues you don't want",
        tags=["players"],
        responses=MailChoiceShape,
        examples=[gets(EXAMPLE)],
    )
    def get(self, request: Request) -> HttpResponse:
        """The kinds that are declined."""
        player = player_of(request, Token.Scope.READ)
        return etag.answer(request, {"declined": letters.declined(player.pk)})

    @extend_schema(
        operation_id="change_my_mail",
        summary="Choose which letters of leagues you get",
        description="Each letter has an address too that declines its kind with one click.",
        tags=["players"],
        request=MailChoiceRequest,
        responses=MailChoiceShape,
        examples=[asks(EXAMPLE), gets(EXAMPLE)],
    )
    def put(self, request: Request) -> Response:
        """All that is declined from now on."""
        player = player_of(request)
        body = read_body(request, MailChoiceRequest)
        return Response({"declined": letters.choose(player.pk, body["declined"])})
