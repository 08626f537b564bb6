"""Stream tickets: made for one path, taken once within a minute.

Taking one is a single statement, so that of two who try the same ticket one gets it.
"""

from __future__ import annotations

import re
import secrets
from datetime import timedelta
from typing import Final, NamedTuple

from django.db import connection, transaction
from django.db.models.functions import Now

from config.kit import receipts
from games.errors import BadTicketError, BadTicketPathError
from games.models import Player, StreamTicket, Token
from games.services.tokens import digest

LIFE: Final = timedelta(seconds=60)
PREFIX: Final = "hlt_"
_STREAMS: Final = re.compile(r"/api/v1/[A-Za-z0-9/_-]{1,150}/events")


class Taken(NamedTuple):
    """Whose ticket it was, and the token it was made with, if any."""

    player_id: int
    token_id: int | None


def issue(
    player: Player, token: Token | None, path: str, receipt: receipts.Draft | None = None
) -> str | None:
    """Make a ticket and return its text; None if the request was answered with one before.

    Raises `BadTicketPathError`.
    """
    if not _STREAMS.fullmatch(path):
        raise BadTicketPathError("Tickets are for streams of events.", field="path")
    text = PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic(durable=True):
        if receipts.repeated(receipt) is not None:
            return None
        StreamTicket.objects.filter(expires_at__lt=Now()).delete()
        StreamTicket.objects.create(
            digest=digest(text), player=player, token=token, path=path, expires_at=Now() + LIFE
        )
        receipts.keep(receipt, {})
    return text


_TAKE = """
    DELETE FROM games_streamticket WHERE digest = %s AND path = %s
    RETURNING player_id, token_id, expires_at > clock_timestamp()
"""


def take(text: str, path: str) -> Taken:
    """Use a ticket up for this path. Raises `BadTicketError`."""
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, [digest(text), path])
        row = cursor.fetchone()
    if row is None or not row[2]:
        raise BadTicketError("The ticket is unknown, used, too old or for another path.")
    return Taken(row[0], row[1])
