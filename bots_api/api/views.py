"""Bots over the API: register, look, change, rotate secrets, see what went wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from bots_api import queries
from bots_api.api.examples import BOT, NEW_BOT, listed
from bots_api.api.shapes import (
    BotShape,
    BotsShape,
    ChangeBotRequest,
    NewBotRequest,
    NewBotShape,
    NothingRequest,
    PageQuery,
)
from bots_api.models import Bot
from bots_api.queries import documents
from bots_api.services import life, registration
from bots_api.services.registration import BotSpec
from config.kit import etag, receipts
from config.kit.operation import Operation, receipt_draft
from config.kit.params import read_body
from config.kit.wire import dumps
from games.api.examples import asks, gets
from games.authentication import actor_of, player_of, viewer_of
from games.models import Token

IF_MATCH = OpenApiParameter(
    "If-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The `ETag` that you hold: 412 if it was changed since.",
)


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
        viewer = viewer_id(request)
        return self.listed(
            request, queries.bots(), "-id", lambda page: documents.bots(page, viewer)
        )

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
        row = queries.bot(bot_id)
        return etag.answer(request, documents.bot(row, viewer_id(request)), edits=row.edits)

    @extend_schema(
        operation_id="change_bot",
        summary="Change a bot",
        description="With `If-Match`, only if nobody has changed it since you read it.",
        tags=["bots"],
        parameters=[IF_MATCH],
        request=ChangeBotRequest,
        responses=BotShape,
        examples=[asks({"url": BOT["url"]}), gets(BOT)],
    )
    def patch(self, request: Request, bot_id: int) -> Response:
        """Change what is given."""
        owner = player_of(request, Token.Scope.BOT)
        body = read_body(request, ChangeBotRequest)
        changed = life.update(bot_id, owner.pk, body, lambda bot: etag.require(request, bot.edits))
        return _with_tag(request, changed, owner.pk)


class Life(Operation):
    """What an owner does to a whole bot."""

    service: ClassVar[staticmethod[[int, int, receipts.Draft | None], Bot]]

    def post(self, request: Request, bot_id: int) -> Response:
        """Do it; doing it again changes nothing."""
        owner = player_of(request, Token.Scope.BOT)
        read_body(request, NothingRequest)
        draft = receipt_draft(request, actor_of(request))
        return _with_tag(request, type(self).service(bot_id, owner.pk, draft), owner.pk)


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

    service = staticmethod(life.pause)


@_life(
    "resume_bot",
    "Resume a bot",
    "After a pause; one that did not answer calls is called at once, and back after two answers.",
)
class Resume(Life):
    """`/bots/{id}/resume`"""

    service = staticmethod(life.resume)


@_life(
    "retire_bot", "Retire a bot", "For good: it is called no more, its tokens end; its games stay."
)
class Retire(Life):
    """`/bots/{id}/retire`"""

    service = staticmethod(life.retire)


def viewer_id(request: Request) -> int | None:
    """The number of the player who asks, None for anybody."""
    viewer = viewer_of(request)
    return viewer.pk if viewer is not None else None


def _with_tag(request: Request, row: Bot, owner_id: int) -> Response:
    """The bot as its owner sees it, with the tag that a GET would have."""
    document = documents.bot(row, owner_id)
    answer = Response(document)
    answer["ETag"] = etag.tag_of(dumps(document), row.edits)
    return answer
