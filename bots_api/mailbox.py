"""How a bot that connects out asks for its mailbox, over the stream and the API alike.

Owns the queries' shape, who asks and the form of a page; what waits is `queries.mail`'s.
"""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest
from rest_framework import serializers as s
from rest_framework.request import Request

from bots_api import queries
from bots_api.queries.mail import Line
from config.kit.params import StrictSerializer
from games.authentication import TokenAuthentication, player_of
from games.models import Token

LONGEST_WAIT_S: Final = 20
MOST_CURSOR: Final = 2**63 - 1


class StreamQuery(StrictSerializer):
    """Where to go on."""

    after = s.IntegerField(min_value=0, max_value=MOST_CURSOR, default=0)


class TurnsQuery(StreamQuery):
    """Where to go on, and how long to wait for something."""

    wait = s.IntegerField(min_value=0, max_value=LONGEST_WAIT_S, default=0)


def bot_of(request: HttpRequest) -> int:
    """The bot that asks, by its token. Raises `NotABotError` and what refuses tokens."""
    asking = Request(request, authenticators=[TokenAuthentication()])
    player = player_of(asking, Token.Scope.BOT)
    return queries.of_player(player.pk).pk


def page(lines: list[Line], after: int) -> bytes:
    """The lines as one object, with the cursor to go on from."""
    cursor = max((line.cursor for line in lines), default=after)
    messages = ",".join(line.text for line in lines)
    return f'{{"messages":[{messages}],"cursor":{max(cursor, after)}}}'.encode()
