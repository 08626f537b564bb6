"""How a check asks a bot, by its transport: over HTTP as in a game, or through its mailbox."""

from __future__ import annotations

import asyncio
import shlex
import time
from typing import Any, Final, NamedTuple, Protocol

from bots_api import queries
from bots_api.lines.line import Line
from bots_api.lines.waiting import outcome
from bots_api.models import Fault, OpenTurn
from bots_api.protocol import replies
from bots_api.protocol.messages import Message
from bots_api.protocol.replies import Unusable
from bots_api.services import pull
from config.kit.egress.client import Budget
from config.kit.egress.results import Call
from games.agents import Host

WAKING_S: Final = 20.0
SHOWN: Final = 2000


class Heard(NamedTuple):
    """What came back: a reply or why there is none; `status` only over HTTP."""

    reply: dict[str, Any] | None
    detail: str
    ms: float
    status: int | None = None
    size: int | None = None


class Asker(Protocol):
    """A transport, as a check uses it."""

    def shown(self, message: Message) -> str:
        """The request for the bot's author to try."""

    async def hello(self) -> bool:
        """The handshake, with patience; a sound one is stored."""

    async def ask(self, message: Message, seconds: float) -> Heard:
        """One question."""


async def asker_of(bot_id: int, pulls: bool, host: Host) -> Asker:
    """How this bot is asked."""
    if pulls:
        return Pulling(bot_id, host)
    reach = await host.run_db(queries.reach, bot_id)
    line = Line(bot_id, host.session, host.run_db)
    await line.read()
    return Calling(line, reach.url if reach is not None else "")


class Calling:
    """Over HTTP, as in a game."""

    def __init__(self, line: Line, url: str) -> None:
        self._line, self._url = line, url

    def shown(self, message: Message) -> str:
        """As curl; unsigned, since a secret is not to be shown."""
        body = message.body.decode()
        if len(body) > SHOWN:
            body = body[:SHOWN] + "…"
        json = "Content-Type: application/json"
        return shlex.join(["curl", "-s", f"{self._url}/move", "-H", json, "-d", body])

    async def hello(self) -> bool:
        """A call, again each second."""
        return await self._line.revive(WAKING_S)

    async def ask(self, message: Message, seconds: float) -> Heard:
        """A signed call to `/move`."""
        result = await self._line.call(message, Budget(total_s=seconds + 0.3, answer_s=seconds))
        timings = result.timings
        ms = timings.last_byte_ms if timings.last_byte_ms is not None else seconds * 1000
        status = result.status if isinstance(result, Call) else None
        try:
            return Heard(replies.document(result), "", ms, status, len(result.body))
        except Unusable as error:
            detail = f"{Fault.Kind(error.kind).value}: {error.detail}"
            return Heard(None, detail, ms, status, len(result.body))


class Pulling:
    """Through the bot's mailbox."""

    def __init__(self, bot_id: int, host: Host) -> None:
        self._bot_id, self._host = bot_id, host

    def shown(self, message: Message) -> str:
        """The line that it was sent."""
        return message.body.decode()[:SHOWN]

    async def hello(self) -> bool:
        """It says who it is when it connects: that is waited for."""
        until = time.monotonic() + WAKING_S
        while not (await self._host.run_db(queries.way, self._bot_id)).connected:
            if time.monotonic() > until:
                return False
            await asyncio.sleep(1)
        return True

    async def ask(self, message: Message, seconds: float) -> Heard:
        """Put the message, and wait for what comes."""
        allowed_ms = int(seconds * 1000) + pull.WAY_MS
        kind, began = OpenTurn.Kind.CHECK, time.monotonic()
        await self._host.run_db(pull.put, self._bot_id, kind, message, allowed_ms)
        found = await outcome(self._host, message.request_id, allowed_ms / 1000)
        ms = (time.monotonic() - began) * 1000
        if found is None or found.reply is None:
            return Heard(None, "timeout: no answer came in time", ms)
        return Heard(found.reply, "", ms)
