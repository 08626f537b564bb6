"""What a bot that connects out asks for by its own token: messages, and where replies go.

The front serves both lists itself and keeps them open (`bots_api.stream`); these views describe
them, and answer at once where a server has no such front.
"""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from bots_api.api.examples import MESSAGES, TURN_LINE
from bots_api.api.shapes import MessagesShape, RepliesRequest
from bots_api.errors import BadReplyError
from bots_api.mailbox import StreamQuery, TurnsQuery, bot_of, page
from bots_api.protocol.replies import Unusable
from bots_api.queries.mail import waiting
from bots_api.services import answers
from config.kit.operation import Operation
from config.kit.params import read_body
from games.api.examples import asks, gets

_NDJSON: Final = "application/x-ndjson"


class Stream(Operation):
    """`/bot/stream`"""

    query = StreamQuery

    @extend_schema(
        operation_id="stream_bot_messages",
        summary="Stream your bot's messages",
        description=(
            "A line of JSON for each message: what a webhook would be sent, with `reply_to`, "
            "`deadline_at` and `cursor` beside it. Every open message comes first, again after "
            "each reconnect; then what is new. A blank line after 5 s without one. `after`: the "
            "last `cursor` that you have seen. Several connections may be open; the first valid "
            "answer counts."
        ),
        tags=["bots"],
        parameters=[StreamQuery],
        responses={(200, _NDJSON): MessagesShape},
        examples=[OpenApiExample("line", value=TURN_LINE, response_only=True, media_type=_NDJSON)],
    )
    def get(self, request: Request) -> HttpResponse:
        """What waits now, one a line."""
        bot_id, after = bot_of(request._request), self.params["after"]
        lines = [line.text + "\n" for line in waiting(bot_id, after, again=True)]
        return HttpResponse("".join(lines), content_type=_NDJSON)


class Turns(Operation):
    """`/bot/turns`"""

    query = TurnsQuery

    @extend_schema(
        operation_id="list_bot_messages",
        summary="Wait for your bot's messages",
        description=(
            "For bots that can't hold a stream open: answers at once if something waits, else "
            "after up to `wait` seconds. Without `after` everything that is open comes again."
        ),
        tags=["bots"],
        parameters=[TurnsQuery],
        responses=MessagesShape,
        examples=[gets(MESSAGES)],
    )
    def get(self, request: Request) -> HttpResponse:
        """What waits now."""
        bot_id, after = bot_of(request._request), self.params["after"]
        lines = waiting(bot_id, after, again=after == 0)
        return HttpResponse(page(lines, after), content_type="application/json")


class Replies(Operation):
    """`/bot/replies`"""

    @extend_schema(
        operation_id="reply_as_bot",
        summary="Reply to a message that is no turn",
        description=(
            "Handshakes, game starts and the messages of a check are answered here, with the "
            "message's `request_id`; turns where their `reply_to` says, as any player's moves."
        ),
        tags=["bots"],
        request=RepliesRequest,
        responses={204: None},
        examples=[
            asks(
                {
                    "request_id": "msg_0192…",
                    "reply": {"protocol": 1, "version": "1.4.2", "presets": ["table"]},
                }
            )
        ],
    )
    def post(self, request: Request) -> Response:
        """The first reply counts; the same again is no error."""
        bot_id = bot_of(request._request)
        body = read_body(request, RepliesRequest)
        try:
            answers.reply(bot_id, body["request_id"], body["reply"])
        except Unusable as error:
            raise BadReplyError(error.detail, field="reply") from None
        return Response(status=status.HTTP_204_NO_CONTENT)
