"""`GET /games/{id}/events` as an event stream: opened, resumed, followed to the end of the game.

A viewer is a number, that of the last event he has; whoever reads slowly skips views, never
events, and nothing piles up for him. No connection to the database is held while nothing happens.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from typing import Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import OperationalError
from django.http import HttpRequest
from rest_framework import serializers as s
from rest_framework.request import Request

from config.kit.hub import heard
from config.kit.params import StrictSerializer, read_query
from config.kit.streaming import Reply, Shared, resumed_from
from games.errors import EventsGoneError, GameNotFoundError, TooManyStreamsError
from games.looking import look
from games.queries.phrases import mutes
from games.queries.played import DECIDED, is_hidden
from games.queries.stamps import Stamp, stamp
from games.stream.access import Viewer, still, viewer
from games.stream.feeds import Feed, Feeds
from games.stream.frames import HEARTBEAT, HELLO, Told, tell_all

MEDIA_TYPE: Final = "text/event-stream"
PATH: Final = re.compile(r"/api/v1/games/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/events")
HEARTBEAT_S: Final = 10.0
TRUST_S: Final = 60.0
PATIENCE_S: Final = 5.0
MOST_EVENTS: Final = 2**31 - 1
_DIGITS: Final = 9


class StreamQuery(StrictSerializer):
    """Where to go on, and a ticket for who can send no header."""

    after = s.IntegerField(min_value=-1, max_value=MOST_EVENTS, default=-1)
    ticket = s.CharField(max_length=100, default="")


class Asked(NamedTuple):
    """Who asks, and the game's rows as they stood then; None for a game that has no row."""

    who: Viewer
    now: Stamp | None
    muted: bool
    address: str


async def stream(request: HttpRequest, shared: Shared) -> Reply:
    """Begin a stream. Raises what the same GET of JSON raises, and `EventsGoneError`."""
    match = PATH.fullmatch(request.path)
    assert match is not None
    game_id = UUID(match[1])
    query = read_query(Request(request), StreamQuery)
    resumed = resumed_from(request, _DIGITS, "The number of an event.")
    after = query["after"] if resumed is None else resumed
    asked = await shared.readers.run(_asked, request, query["ticket"], game_id)
    if asked.now is not None and asked.now.state not in DECIDED:
        chunks = _follow(shared, game_id, asked, after)
        return Reply(MEDIA_TYPE, _after(await anext(chunks), chunks))
    whole = await shared.readers.run(_whole, game_id, asked.who)
    _check(game_id, after, whole.last)
    if resumed == whole.last:
        # A browser that comes again after the end: this is how it is told to stay away.
        return Reply(MEDIA_TYPE, _pieces(), 204)
    return Reply(MEDIA_TYPE, _pieces(HELLO, whole.after(after)))


def _asked(request: HttpRequest, ticket: str, game_id: UUID) -> Asked:
    """Cheap: many may come at once, when another process has died."""
    who, now = viewer(request, ticket), stamp(game_id)
    if now is not None and not _may_look(now, who):
        raise GameNotFoundError("There is no such game.")
    return Asked(who, now, mutes(who.player_id), request.META.get("REMOTE_ADDR", ""))


def _may_look(now: Stamp, who: Viewer) -> bool:
    if not now.may_look(who.player_id):
        return False
    seat = now.seat_of(who.player_id)
    return seat is not None or not is_hidden(now.competition_ref, who.player_id)


def _still(now: Stamp, who: Viewer) -> bool:
    """Asked every minute: whether the viewer is who he was, and may still look."""
    return still(who) and _may_look(now, who)


def _whole(game_id: UUID, who: Viewer) -> Told:
    return tell_all(look(game_id, who.player_id), who.player_id)


def _check(game_id: UUID, after: int, last: int) -> None:
    if after > last:
        snapshot = f"/api/v1/games/{game_id}"
        raise EventsGoneError("There is no such event.", last=last, snapshot=snapshot)


@contextlib.contextmanager
def _counted(shared: Shared, asked: Asked) -> Iterator[None]:
    """One of so many streams that a player, or an address, may hold open in this process.

    Raises `TooManyStreamsError`.
    """
    player = asked.who.player_id
    kind, client = ("address", asked.address) if player is None else ("player", str(player))
    held, most = shared.one(Held).streams, settings.STREAMS_OPEN.get(kind)
    if most is not None and held[client] >= most:
        raise TooManyStreamsError(
            "You hold too many streams open.", limit=f"{most} streams by {kind}"
        )
    held[client] += 1
    try:
        yield
    finally:
        held[client] -= 1
        if not held[client]:
            del held[client]


class Held:
    """How many streams each client holds open in this process."""

    def __init__(self, shared: Shared) -> None:
        self.streams: Counter[str] = Counter()

    async def close(self) -> None:
        """Nothing to end."""


async def _follow(
    shared: Shared, game_id: UUID, asked: Asked, after: int
) -> AsyncGenerator[bytes, None]:
    """What is new, whenever there is something, until the game or the viewer's right ends.

    Refuses, if it does, before the first piece.
    """
    who, tag, said, trusted = asked.who, "", 0, time.monotonic()
    with _counted(shared, asked), shared.one(Feeds).watching(game_id) as feed:
        _check(game_id, after, (await _told(feed, who)).last)
        yield HELLO
        while not feed.gone:
            changed = feed.changed
            if feed.now is None or not feed.now.may_look(who.player_id):
                return
            told = await feed.told(feed.now.seat_of(who.player_id))
            piece = b"" if asked.muted else told.said_after(said)
            piece += told.after(after, tag)
            if piece:
                yield piece
            if told.over:
                return
            after, tag, said = max(after, told.last), told.tag, told.last_said
            if time.monotonic() - trusted > TRUST_S:
                if not await shared.readers.run(_still, feed.now, who):
                    return
                trusted = time.monotonic()
            if not await heard(changed, HEARTBEAT_S):
                yield HEARTBEAT


async def _told(feed: Feed, who: Viewer) -> Told:
    """What the viewer is told at first, as soon as the feed has read its game."""
    if feed.now is None and not feed.gone and not await heard(feed.changed, PATIENCE_S):
        raise OperationalError("the game can't be read")
    if feed.now is None or not feed.now.may_look(who.player_id):
        raise GameNotFoundError("There is no such game.")
    return await feed.told(feed.now.seat_of(who.player_id))


async def _after(first: bytes, rest: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    async with contextlib.aclosing(rest):
        yield first
        async for piece in rest:
            yield piece


async def _pieces(*pieces: bytes) -> AsyncGenerator[bytes, None]:
    for piece in pieces:
        yield piece
