"""Where bots that connect out get their messages: a stream of lines, or one answer at a time.

Both show the mailbox of `services.pull` and nothing else. No connection to the database is held
while nothing happens.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from typing import Final

from django.http import HttpRequest
from rest_framework.request import Request

from bots_api.mailbox import StreamQuery, TurnsQuery, bot_of, page
from bots_api.queries.mail import Line, waiting
from bots_api.services import news, pull
from config.kit.hub import heard
from config.kit.params import read_query
from config.kit.streaming import Reply, Shared

HEARTBEAT_S: Final = 5.0
SEEN_S: Final = 10.0
TRUST_S: Final = 60.0


async def stream(request: HttpRequest, shared: Shared) -> Reply:
    """`GET /bot/stream`: a line of JSON for every message, blank lines in between."""
    after = read_query(Request(request), StreamQuery)["after"]
    bot_id = await shared.readers.run(bot_of, request)
    return Reply("application/x-ndjson", _lines(request, shared, bot_id, after))


async def turns(request: HttpRequest, shared: Shared) -> Reply:
    """`GET /bot/turns`: what waits, or what comes within `wait` seconds."""
    query = read_query(Request(request), TurnsQuery)
    bot_id = await shared.readers.run(bot_of, request)
    found = await _first(shared, bot_id, query["after"], query["wait"])
    return Reply("application/json", _once(page(found, query["after"])))


async def _first(shared: Shared, bot_id: int, after: int, wait_s: float) -> list[Line]:
    until = time.monotonic() + wait_s
    with shared.hub.watch(news.CHANNEL, news.bot_key(bot_id)) as told:
        await shared.hub.ready()
        await shared.readers.run(_polled, bot_id, after)
        while True:
            told.clear()
            found = await shared.readers.run(waiting, bot_id, after, after == 0)
            if found or not await heard(told, until - time.monotonic()):
                return found


def _polled(bot_id: int, after: int) -> None:
    if after == 0:
        pull.arrive(bot_id)
    else:
        pull.seen(bot_id)


async def _lines(
    request: HttpRequest, shared: Shared, bot_id: int, after: int
) -> AsyncGenerator[bytes, None]:
    """Everything open, then everything new; ends when the token's authority does."""
    run, again = shared.readers.run, True
    with shared.hub.watch(news.CHANNEL, news.bot_key(bot_id)) as told:
        await shared.hub.ready()
        await run(pull.arrive, bot_id)
        seen = trusted = time.monotonic()
        while True:
            told.clear()
            for line in await run(waiting, bot_id, after, again):
                after = max(after, line.cursor)
                yield line.text.encode() + b"\n"
            again = False
            if not await heard(told, HEARTBEAT_S):
                yield b"\n"
            now = time.monotonic()
            if now - trusted > TRUST_S:
                await run(bot_of, request)
                trusted = now
            if now - seen > SEEN_S:
                await run(pull.seen, bot_id)
                seen = now


async def _once(body: bytes) -> AsyncGenerator[bytes, None]:
    yield body
