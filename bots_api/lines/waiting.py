"""Waiting for what becomes of a message in a bot's mailbox: woken by the hub, told by the row."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

from bots_api.services import news, pull
from bots_api.services.pull import Outcome
from config.kit.hub import heard
from games.agents import Host

# A clock that is read again at once would say the same.
GRACE_S: Final = 0.002


async def outcome(host: Host, request_id: str, seconds: float) -> Outcome | None:
    """What became of a message that lies there; None if it is still open after `seconds`."""
    with host.hub.watch(news.CHANNEL, request_id) as told:
        await host.hub.ready()
        return await _followed(host.run_db, request_id, told, seconds)


async def _followed(
    run_db: Callable[..., Awaitable[Any]], request_id: str, told: asyncio.Event, seconds: float
) -> Outcome | None:
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    while True:
        # The hub also wakes when it has lost its connection: the row alone tells.
        told.clear()
        found: Outcome = await run_db(pull.look, request_id)
        if found.reply is not None or found.closed:
            return found
        left_s = until - loop.time()
        if left_s <= 0:
            return None
        await heard(told, min(left_s, found.left_s + GRACE_S))
