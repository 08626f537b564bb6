"""The pull transport of remote bots: questions lie in rows until the bot fetches and answers them.

The web process takes the answers and judges the time (`services.pull`); this side puts questions
and listens. Nothing here has to survive: a question that lies there is found again.
"""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import Any, Final

from bots_api import queries
from bots_api.lines.slots import keeper_of
from bots_api.lines.waiting import outcome
from bots_api.models import Fault as FaultRow
from bots_api.models import OpenTurn
from bots_api.protocol import replies
from bots_api.protocol.messages import Message, end_message, start_message, turn_message
from bots_api.services import news, pull
from bots_api.services.heard import AskedTurn
from bots_api.services.pull import Outcome, Put
from config.kit.hub import heard
from games.agents import Answer, Fault, GameEnd, GameStart, Host, Turn

# So long one call of `choose` waits; the question stands longer.
PATIENCE_S: Final = 5.0
# A slot that another process has freed may be noticed so much later.
SLOT_S: Final = 1.0
START_MS: Final = 3000
# How long an end may be fetched; nothing depends on it.
END_MS: Final = 60_000


class PullAgent:
    """A bot that connects out. One object for all its seats in this process."""

    def __init__(self, bot_id: int, host: Host) -> None:
        self.bot_id = bot_id
        self.last_rtt_ms: int | None = None
        self._host = host
        self._run_db = host.run_db
        self._slots = keeper_of(host.session, host.run_db).of(bot_id)

    async def wake(self) -> None:
        """Nobody can call it: its turns wait for it, on the clock."""

    async def greet(self) -> bool:
        """It says who it is whenever it connects: there is nothing to ask."""
        return True

    async def start(self, start: GameStart) -> str:
        """Tell it of a game; its entropy if it is connected and gives some in time."""
        message = start_message(start)
        way = await self._run_db(queries.way, self.bot_id)
        kind = OpenTurn.Kind.GAME_START
        await self._run_db(pull.put, self.bot_id, kind, message, START_MS)
        if not way.connected:
            return ""
        found = await outcome(self._host, message.request_id, START_MS / 1000)
        return "" if found is None else replies.entropy_of(found.reply or {})

    async def choose(self, turn: Turn) -> Answer | None:
        """Put the question, or find it, and wait a while for what becomes of it."""
        message = turn_message(turn, self.last_rtt_ms)
        with self._host.hub.watch(news.CHANNEL, news.slot_key(self.bot_id)) as slot:
            put = await self._put(turn, message, slot)
        if put is None:
            return None
        found = await outcome(self._host, put.request_id, PATIENCE_S)
        return None if found is None else self._answer(turn, put, found)

    async def end(self, end: GameEnd) -> None:
        """Tell it how a game ended."""
        kind, message = OpenTurn.Kind.GAME_END, end_message(end)
        await self._run_db(pull.put, self.bot_id, kind, message, END_MS)

    async def _put(self, turn: Turn, message: Message, slot: asyncio.Event) -> Put | None:
        """Put the turn as soon as the bot has room for it: the wait is on nobody's clock."""
        allowed_ms, asked = turn.deadline_ms + turn.bank_ms, AskedTurn.of(turn)
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE_S
        while True:
            slot.clear()
            put: Put | None = await self._run_db(
                pull.put_turn, self.bot_id, asked, message, allowed_ms
            )
            if put is not None or loop.time() > until:
                return put
            with self._slots.queued():
                await heard(slot, SLOT_S)

    def _answer(self, turn: Turn, put: Put, found: Outcome) -> Answer:
        if found.reply is not None:
            self.last_rtt_ms = found.took_ms
            evidence = partial(_evidence, put)
            action = found.reply["action"]
            return Answer(action, found.spent_ms, evidence=evidence, took_ms=found.took_ms)
        return Answer(None, turn.deadline_ms + turn.bank_ms, _timeout(put))


def _evidence(put: Put) -> dict[str, Any]:
    return {
        "request_id": put.request_id,
        "asked": json.loads(put.message),
        "transport": "pull",
    }


def _timeout(put: Put) -> Fault:
    detail = {"detail": "no answer came in time", **_evidence(put)}
    return Fault(FaultRow.Kind.TIMEOUT.value, detail)
