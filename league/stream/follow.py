"""`GET /competitions/{id}/events` as an event stream: the ledger from any row on, for ever.

A viewer is a number, that of the last row he has. He is told standings and progress in passing. No
connection to the database is held while nothing happens.
"""

from __future__ import annotations

import re
import time
from collections.abc import AsyncGenerator
from typing import Final

from django.http import HttpRequest
from rest_framework import serializers as s
from rest_framework.request import Request

from config.kit.hub import heard
from config.kit.params import StrictSerializer, read_query
from config.kit.streaming import Reply, Shared, resumed_from
from games.errors import EventsGoneError
from games.stream.access import Viewer, still, viewer
from games.stream.follow import HEARTBEAT_S, MEDIA_TYPE, TRUST_S
from games.stream.frames import HEARTBEAT, HELLO
from league.errors import CompetitionNotFoundError
from league.queries import visible
from league.stream.feeds import Feeds

PATH: Final = re.compile(r"/api/v1/competitions/([0-9]{1,18})/events")
MOST: Final = 10**15
_DIGITS: Final = 15


class StreamQuery(StrictSerializer):
    """Where to go on, and a ticket for who can send no header."""

    after = s.IntegerField(min_value=0, max_value=MOST, default=0)
    ticket = s.CharField(max_length=100, default="")


async def stream(request: HttpRequest, shared: Shared) -> Reply:
    """Begin a stream. Raises what the same GET of JSON raises, and `EventsGoneError`."""
    match = PATH.fullmatch(request.path)
    assert match is not None
    competition_id = int(match[1])
    query = read_query(Request(request), StreamQuery)
    resumed = resumed_from(request, _DIGITS, "The number of a row.")
    after = query["after"] if resumed is None else resumed
    who = await shared.readers.run(_opened, request, query["ticket"], competition_id, after)
    return Reply(MEDIA_TYPE, _follow(shared, competition_id, who, after))


def _opened(request: HttpRequest, ticket: str, competition_id: int, after: int) -> Viewer:
    who = viewer(request, ticket)
    last = visible.competition(competition_id, who.player_id).ledger_seq
    if after > last:
        snapshot = f"/api/v1/competitions/{competition_id}/dashboard"
        raise EventsGoneError("The ledger has no such row.", last=last, snapshot=snapshot)
    return who


async def _follow(
    shared: Shared, competition_id: int, who: Viewer, after: int
) -> AsyncGenerator[bytes, None]:
    """What is new, whenever there is something, until the viewer's right ends."""
    look, trusted = 0, time.monotonic()
    yield HELLO
    with shared.one(Feeds).following(competition_id) as feed:
        while not feed.gone:
            changed = feed.changed
            while feed.seq is not None and (rows := await feed.after(after)).pieces:
                yield b"".join(rows.pieces)
                after = rows.last
            piece, look = feed.passing.after(look), feed.passing.looks
            if piece:
                yield piece
            if time.monotonic() - trusted > TRUST_S:
                if not await shared.readers.run(_may_still, who, competition_id):
                    return
                trusted = time.monotonic()
            if not await heard(changed, HEARTBEAT_S):
                yield HEARTBEAT


def _may_still(who: Viewer, competition_id: int) -> bool:
    try:
        visible.competition(competition_id, who.player_id)
    except CompetitionNotFoundError:
        return False
    return still(who)
