"""The webhook transport of remote bots: the service calls the bot's URL.

Turns the driver's questions into signed calls and the answers into choices or faults. Runs in the
driver's event loop; what it does with the database runs in the driver's thread.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from functools import partial
from typing import Any, Final
from uuid import UUID

from bots_api.lines.asking import Verdict, ask
from bots_api.lines.canary import Canary
from bots_api.lines.line import Line
from bots_api.protocol import replies
from bots_api.protocol.messages import Message, end_message, start_message, turn_message
from bots_api.services import heard
from bots_api.services.heard import AskedTurn
from config.kit.egress.client import Budget, Egress
from games.agents import Answer, Fault, GameEnd, GameStart, Host, Turn

# A process that is late so often in a row is in no state to judge: the default action, no fault.
MAX_STALLS: Final = 5
REVIVAL_S: Final = 60.0
GREETING_S: Final = 1.0
NEWS: Final = Budget(total_s=5, answer_s=3)

_canaries: weakref.WeakKeyDictionary[Egress, Canary] = weakref.WeakKeyDictionary()


class WebhookAgent:
    """A bot that is called at its URL. One object for all its seats."""

    def __init__(self, bot_id: int, host: Host) -> None:
        self.bot_id = bot_id
        self._host = host
        self._line = Line(self.bot_id, host.session, host.run_db)
        self._canary = canary_of(host.session)
        # Games in which a lost connection was waited for already.
        self._waited: set[UUID] = set()

    async def wake(self) -> None:
        """A handshake if it was silent for a minute; off every clock, no fault."""
        await self._line.wake()

    def forget(self) -> None:
        """It is reached in another way now."""
        self._line.forget()

    async def greet(self) -> bool:
        """Ask who it is now; whether it said so."""
        return await self._line.revive(GREETING_S)

    async def start(self, start: GameStart) -> str:
        """Tell it of a game; its entropy, "" if it gives none or does not answer."""
        async with self._line.slot():
            return replies.entropy(await self._line.call(start_message(start), NEWS))

    async def choose(self, turn: Turn) -> Answer | None:
        """Ask for one decision, again with a fresh clock as often as the delay was ours.

        None: the bot was gone and is back, perhaps as another version; ask afresh.
        """
        self._canary.watch()
        async with self._line.slot() as queued_ms:
            for _ in range(MAX_STALLS):
                message = turn_message(turn, self._line.last_rtt_ms)
                there = self._line.awake
                verdict = await ask(
                    self._line, self._canary, message, turn.deadline_ms + turn.bank_ms
                )
                if verdict.fault is None or not verdict.ours:
                    if verdict.lost and there and await self._came_back(turn):
                        return None
                    return _answer(message, verdict, queued_ms)
                else:
                    evidence = _evidence(message, verdict, queued_ms)
                    await self._host.run_db(heard.stall, self.bot_id, AskedTurn.of(turn), evidence)
        return Answer(None)

    async def end(self, end: GameEnd) -> None:
        """Tell it how a game ended."""
        self._waited.discard(end.game_id)
        async with self._line.slot():
            await self._line.call(end_message(end), NEWS)

    async def _came_back(self, turn: Turn) -> bool:
        """Once per game a lost connection is waited for."""
        if turn.game_id in self._waited:
            return False
        self._waited.add(turn.game_id)
        return await self._line.revive(REVIVAL_S)


def canary_of(egress: Egress) -> Canary:
    """The canary that flies in the same loop as this client."""
    if egress not in _canaries:
        _canaries[egress] = canary = Canary()
        egress.before_close(canary.close)
    return _canaries[egress]


def _answer(message: Message, verdict: Verdict, queued_ms: float) -> Answer:
    if verdict.chosen is not None:
        action, note = verdict.chosen
        evidence = partial(_evidence, message, verdict, queued_ms)
        return Answer(action, verdict.spent_ms, note=note, evidence=evidence)
    assert verdict.fault is not None
    detail = {"detail": verdict.fault.detail, **_evidence(message, verdict, queued_ms)}
    return Answer(None, verdict.spent_ms, Fault(verdict.fault.kind, detail))


def _evidence(message: Message, verdict: Verdict, queued_ms: float) -> Mapping[str, Any]:
    """What was asked and what came; in `timings` the wait for one of the bot's slots too."""
    found = replies.evidence(verdict.result)
    queue_ms = queued_ms + verdict.result.timings.queue_ms
    parts = {"queue_ms": round(queue_ms, 1), "parse_ms": round(verdict.parse_ms, 1)}
    return {
        "request_id": message.request_id,
        "attempts": verdict.attempts,
        "held_ms": verdict.held_ms,
        "asked": message.shown,
        **found,
        "timings": {**found["timings"], **parts},
    }
