"""The line to one bot: signed calls through the egress client, within its slots, awake first.

One object serves all seats of a bot in a process. Owns when to wake it and what its last answers
were like; what the messages mean is for others.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from bots_api import queries
from bots_api.lines.slots import Slots, keeper_of
from bots_api.models import Fault
from bots_api.protocol import replies
from bots_api.protocol.messages import Message, handshake_message
from bots_api.protocol.replies import Unusable
from bots_api.queries import Reach
from bots_api.services import heard
from config.kit import signing
from config.kit.egress.client import Budget, Egress, Outgoing
from config.kit.egress.results import Call, EgressFault, FaultKind, Timings

SILENCE_S: Final = 60.0
WAKING_S: Final = 20.0
WAKING_EVERY_S: Final = 1.0
# Within this time a changed URL, secret or state of a bot is heeded.
RELOAD_S: Final = 30.0

RunDb = Callable[..., Awaitable[Any]]


class Line:
    """Calls to the bot `bot_id`. `call` and `wake` belong to the loop that the client is in."""

    def __init__(self, bot_id: int, egress: Egress, run_db: RunDb) -> None:
        self.bot_id = bot_id
        self.last_rtt_ms: int | None = None
        self._egress = egress
        self._run_db = run_db
        self._reach: Reach | None = None
        self._read_at = float("-inf")
        self._asked_at = float("-inf")
        self._heard_at = float("-inf")
        self._waking = asyncio.Lock()
        self._slots = keeper_of(egress, run_db).of(bot_id)

    @property
    def awake(self) -> bool:
        """Whether it answered within the last minute."""
        return time.monotonic() - self._heard_at < SILENCE_S

    def slot(self) -> Slots:
        """One of the turns that the bot takes at once; waiting for it is on nobody's clock."""
        return self._slots

    async def wake(self) -> None:
        """Make sure that it can hear: a handshake after a minute of silence, again each second.

        Returns although it can't; then it is left alone for a minute, which costs its turns.
        """
        now = time.monotonic()
        if now - self._heard_at < SILENCE_S and now - self._read_at < RELOAD_S:
            return
        async with self._waking:
            await self._reread()
            quiet_since = max(self._heard_at, self._asked_at)
            if time.monotonic() - quiet_since >= SILENCE_S:
                await self._shake_hands(WAKING_S)

    async def read(self) -> None:
        """Read how the bot is reached, unless that was done lately."""
        await self._reread()

    def forget(self) -> None:
        """Read anew how the bot is reached, before it is next called."""
        self._read_at = float("-inf")

    async def revive(self, seconds: float) -> bool:
        """Wait for a bot that was there and is gone; whether it came back."""
        async with self._waking:
            return await self._shake_hands(seconds)

    async def call(self, message: Message, budget: Budget) -> Call | EgressFault:
        """Send one message to `/move`. A whole answer counts as heard, whatever it says."""
        await self._reread()
        result = await self._send("POST", "/move", message, budget)
        if isinstance(result, Call):
            self._heard_at = time.monotonic()
            if result.timings.last_byte_ms is not None:
                self.last_rtt_ms = round(result.timings.last_byte_ms)
        return result

    async def _shake_hands(self, seconds: float) -> bool:
        until = time.monotonic() + seconds
        while True:
            await self._reread()
            left = until - time.monotonic()
            began = time.monotonic()
            result = await self._send("GET", "", handshake_message(), Budget(left, left))
            if await self._note(result):
                return True
            pause = began + WAKING_EVERY_S - time.monotonic()
            if _hopeless(result) or time.monotonic() + max(0.0, pause) >= until:
                self._asked_at = time.monotonic()
                return False
            await asyncio.sleep(max(0.0, pause))
            # Its owner may have moved it.
            self.forget()

    async def _note(self, result: Call | EgressFault) -> bool:
        """Whether the bot is awake; a sound handshake is stored."""
        try:
            said = replies.handshake(result)
        except Unusable as fault:
            lasting = _lasting(result, fault)
            if lasting:
                self._asked_at = time.monotonic()
            return lasting
        self._heard_at = time.monotonic()
        await self._run_db(heard.handshake, self.bot_id, said._asdict())
        self._read_at = float("-inf")
        await self._reread()
        return True

    async def _reread(self) -> None:
        if time.monotonic() - self._read_at < RELOAD_S:
            return
        self._reach = await self._run_db(queries.reach, self.bot_id)
        self._read_at = time.monotonic()
        if self._reach is not None:
            self._slots.width = self._reach.concurrency

    async def _send(
        self, method: str, path: str, message: Message, budget: Budget
    ) -> Call | EgressFault:
        reach = self._reach
        if reach is None or not reach.callable:
            return EgressFault(
                FaultKind.REFUSED, "the bot is retired or has lost its secret", Timings()
            )
        headers = signing.signed(reach.secrets, message.request_id, message.body)
        if message.body:
            headers["Content-Type"] = "application/json"
        body = message.body or None
        return await self._egress.call(reach.url + path, Outgoing(method, headers, body), budget)


def _hopeless(result: Call | EgressFault) -> bool:
    """A place that is not called today won't be in a second."""
    return isinstance(result, EgressFault) and result.kind is FaultKind.REFUSED


def _lasting(result: Call | EgressFault, fault: Unusable) -> bool:
    """Whether waiting won't help: a program that answers, but not as a bot does."""
    if not isinstance(result, Call) or result.status >= 500 or fault.kind is Fault.Kind.BAD_JSON:
        return False
    return "html" not in result.headers.get("content-type", "")
