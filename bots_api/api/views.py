"""Bots over the API: register, look, change, rotate secrets, see what went wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from bots_api import queries
from bots_api.api.examples import BOT, FAULT, NEW_BOT, listed
from bots_api.api.shapes import (
    BotFaultsShape,
    BotShape,
    BotsShape,
    ChangeBotRequest,
    NewBotRequest,
    NewBotShape,
    NothingRequest,
    PageQuery,
    SecretShape,
)
from bots_api.models import Bot
from bots_api.queries import documents
from bots_api.services import registration, secrets
from bots_api.services.registration import BotSpec
from config.kit import etag
from config.kit.operation import Operation, receipt_draft
from config.kit.paging import addresses, page
from config.kit.params import read_body
from games.api.examples import asks, gets
from games.authentication import actor_of, player_of, viewer_of
from games.models import Token


class Bots(Operation):
    """`/bots`"""

    query = PageQuery

    @extend_schema(
        operation_id="list_bots",
        summary="List bots",
        tags=["bots"],
        parameters=[PageQuery],
        responses=BotsShape,
        examples=[gets(listed({**BOT, "url": None}))],
        auth=[],
    )
    def get(self, request: Request) -> HttpResponse:
        """The newest first."""
        limit, cursor = self.params["limit"], self.params.get("cursor")
        rows = page(queries.bots(), "-id", cursor, limit, addresses(request.path, {"limit": limit}))
        shown = [documents.bot(row, viewer_id(request)) for row in rows.rows]
        return etag.answer(request, {"results": shown, "next": rows.next})

    @extend_schema(
        operation_id="register_bot",
        summary="Register a bot",
        description=(
            "The answer shows the bot's token and its signing secret, this once. "
            "Turns are signed by Standard Webhooks and go to `{url}/move`."
        ),
        tags=["bots"],
        request=NewBotRequest,
        responses={201: NewBotShape},
        examples=[
            asks(NEW_BOT),
            gets({"bot": BOT, "token": "hlb_…", "signing_secret": "whsec_…"}),
        ],
    )
    def post(self, request: Request) -> Response:
        """Register it."""
        owner = player_of(request, Token.Scope.BOT)
        spec = BotSpec(**read_body(request, NewBotRequest))
        made = registration.register(owner.pk, spec, receipt_draft(request, actor_of(request)))
        answer = {
            "bot": documents.bot(made.bot, owner.pk),
            "token": made.token,
            "signing_secret": made.signing_secret,
        }
        return Response(answer, status=status.HTTP_201_CREATED)


class OneBot(Operation):
    """`/bots/{id}`"""

    @extend_schema(
        operation_id="get_bot",
        summary="Get a bot",
        tags=["bots"],
        responses=BotShape,
        examples=[gets(BOT)],
        auth=[],
    )
    def get(self, request: Request, bot_id: int) -> HttpResponse:
        """The bot."""
        return etag.answer(request, documents.bot(queries.bot(bot_id), viewer_id(request)))

    @extend_schema(
        operation_id="change_bot",
        summary="Change a bot",
        tags=["bots"],
        request=ChangeBotRequest,
        responses=BotShape,
        examples=[asks({"url": BOT["url"]}), gets(BOT)],
    )
    def patch(self, request: Request, bot_id: int) -> Response:
        """Change what is given."""
        owner = player_of(request, Token.Scope.BOT)
        changed = registration.update(bot_id, owner.pk, read_body(request, ChangeBotRequest))
        return Response(documents.bot(changed, owner.pk))


class Life(Operation):
    """What an owner does to a whole bot."""

    service: ClassVar[staticmethod[[int, int], Bot]]

    def post(self, request: Request, bot_id: int) -> Response:
        """Do it; doing it again changes nothing."""
        owner = player_of(request, Token.Scope.BOT)
        read_body(request, NothingRequest)
        return Response(documents.bot(type(self).service(bot_id, owner.pk), owner.pk))


def _life(operation: str, summary: str, description: str) -> Callable[[type[Life]], type[Life]]:
    return extend_schema_view(
        post=extend_schema(
            operation_id=operation,
            summary=summary,
            description=description,
            tags=["bots"],
            request=NothingRequest,
            responses=BotShape,
            examples=[asks({}), gets(BOT)],
        )
    )


@_life("pause_bot", "Pause a bot", "It gets no new games; those under way are played on.")
class Pause(Life):
    """`/bots/{id}/pause`"""

    service = staticmethod(registration.pause)


@_life("resume_bot", "Resume a bot", "It plays again after a pause.")
class Resume(Life):
    """`/bots/{id}/resume`"""

    service = staticmethod(registration.resume)


@_life("retire_bot", "Retire a bot", "For good: it is called no more; its games stay.")
class Retire(Life):
    """`/bots/{id}/retire`"""

    service = staticmethod(registration.retire)


class Secrets(Operation):
    """`/bots/{id}/secrets`"""

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


class Faults(Operation):
    """`/bots/{id}/faults`"""

    query = PageQuery

    @extend_schema(
        operation_id="list_bot_faults",
        summary="List the faults of your bot",
        description="With the evidence, the newest first. For the bot's owner alone.",
        tags=["bots"],
        parameters=[PageQuery],
        responses=BotFaultsShape,
        examples=[gets(listed(FAULT))],
    )
    def get(self, request: Request, bot_id: int) -> HttpResponse:
        """The newest first."""
        owner = player_of(request, Token.Scope.BOT)
        queries.owned(bot_id, owner.pk)
        limit, cursor = self.params["limit"], self.params.get("cursor")
        found = page(
            queries.faults(bot_id),
            "-id",
            cursor,
            limit,
            addresses(request.path, {"limit": limit}),
        )
        shown = [documents.fault(row) for row in found.rows]
        return etag.answer(request, {"results": shown, "next": found.next})


def viewer_id(request: Request) -> int | None:
    """The number of the player who asks, None for anybody."""
    viewer = viewer_of(request)
    return viewer.pk if viewer is not None else None
