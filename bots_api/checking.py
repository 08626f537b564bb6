"""Carrying a check out: the questions, in order, over whichever transport the bot has.

Reads like the list in docs/bots.md. What is asked comes from `positions`; whether it counts as
passed is decided here, and stored by `services.checks`.
"""

from __future__ import annotations

import asyncio
import secrets
import shlex
import statistics
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple, Protocol

from bots_api import positions, queries, replies
from bots_api.line import Line
from bots_api.messages import Message, full_message, nonce_message, turn_message
from bots_api.models import Fault, OpenTurn
from bots_api.positions import POSITIONS, Position
from bots_api.replies import Unusable
from bots_api.services import pull
from bots_api.services.checks import Report
from bots_api.waiting import outcome
from config.kit.egress.client import Budget
from config.kit.egress.results import Call
from games.agents import Host

WAKING_S: Final = 20.0
COLD_MS: Final = 2000
# What is slower than the deadline comes off the bank: a note. This is too slow for any.
PATIENCE_S: Final = 5.0
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


async def carry_out(bot_id: int, host: Host) -> Report:
    """Check a bot from beginning to end."""
    way = await host.run_db(queries.way, bot_id)
    asker = _Pulling(bot_id, host) if way.pulls else await _calling(bot_id, host)
    began = time.monotonic()
    awake = await asker.hello()
    steps = [_hello(awake, (time.monotonic() - began) * 1000, way.pulls)]
    if awake:
        steps += [await _nonce(asker), *await _positions(asker)]
    times = [step["ms"] for step in steps if step["step"].startswith("position")]
    passed = all(step["verdict"] != "failed" for step in steps)
    p50, p95 = (statistics.median(times), sorted(times)[-1]) if times else (None, None)
    return Report(passed, steps, p50, p95)


def _hello(awake: bool, ms: float, pulls: bool) -> dict[str, Any]:
    if not awake:
        gone = "It is not connected." if pulls else "No sound handshake came within 20 s."
        return _step("handshake", "failed", gone, ms)
    if ms > COLD_MS:
        return _step("handshake", "note", "A cold start: it is woken before its games.", ms)
    return _step("handshake", "ok", "", ms)


async def _nonce(asker: Asker) -> dict[str, Any]:
    nonce = secrets.token_hex(16)
    message = nonce_message(nonce)
    came = await asker.ask(message, PATIENCE_S)

    def judge(reply: dict[str, Any]) -> str:
        return "" if reply.get("nonce") == nonce else "The reply has not the same `nonce`."

    return _judged("nonce", asker.shown(message), came, judge)


async def _positions(asker: Asker) -> list[dict[str, Any]]:
    steps = []
    for position in POSITIONS:
        message = turn_message(positions.turn_of(position), None)
        steps.append(await _position(asker, f"position: {position.name}", position, message))
    again, longest = POSITIONS[-1], POSITIONS[-2]
    message = turn_message(positions.turn_of(again), None)
    steps.append(await _position(asker, "the last one again", again, message))
    message = full_message(positions.turn_of(longest))
    steps.append(await _position(asker, "64 KiB", longest, message))
    return steps


async def _position(
    asker: Asker, step: str, position: Position, message: Message
) -> dict[str, Any]:
    came = await asker.ask(message, PATIENCE_S)

    def judge(reply: dict[str, Any]) -> str:
        refused = positions.refusal(position, replies.chosen_of(reply).action)
        return "" if refused is None else f"The action is illegal: {refused}."

    return _judged(step, asker.shown(message), came, judge)


def _judged(
    step: str, asked: str, came: Heard, judge: Callable[[dict[str, Any]], str]
) -> dict[str, Any]:
    wrong = came.detail
    if came.reply is not None:
        try:
            wrong = judge(came.reply)
        except Unusable as error:
            wrong = error.detail
    verdict = "failed" if wrong else "ok"
    if not wrong and came.ms > positions.DEADLINE_MS:
        verdict, wrong = "note", f"Slower than {positions.DEADLINE_MS} ms: it costs of the bank."
    row = _step(step, verdict, wrong, came.ms)
    return {**row, "status": came.status, "bytes": came.size, "asked": asked}


def _step(step: str, verdict: str, detail: str, ms: float) -> dict[str, Any]:
    row = {"step": step, "verdict": verdict, "detail": detail, "ms": round(ms, 1)}
    return {**row, "status": None, "bytes": None, "asked": ""}


async def _calling(bot_id: int, host: Host) -> _Calling:
    reach = await host.run_db(queries.reach, bot_id)
    line = Line(bot_id, host.session, host.run_db)
    await line.read()
    return _Calling(line, reach.url if reach is not None else "")


class _Calling:
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
        return await self._line.revive(WAKING_S)

    async def ask(self, message: Message, seconds: float) -> Heard:
        result = await self._line.call(message, Budget(total_s=seconds + 0.3, answer_s=seconds))
        timings = result.timings
        ms = timings.last_byte_ms if timings.last_byte_ms is not None else seconds * 1000
        status = result.status if isinstance(result, Call) else None
        try:
            return Heard(replies.document(result), "", ms, status, len(result.body))
        except Unusable as error:
            detail = f"{Fault.Kind(error.kind).value}: {error.detail}"
            return Heard(None, detail, ms, status, len(result.body))


class _Pulling:
    """Through the bot's mailbox."""

    def __init__(self, bot_id: int, host: Host) -> None:
        self._bot_id, self._host = bot_id, host

    def shown(self, message: Message) -> str:
        """The line that it was sent."""
        return message.body.decode()[:SHOWN]

    async def hello(self) -> bool:
        until = time.monotonic() + WAKING_S
        while not (await self._host.run_db(queries.way, self._bot_id)).connected:
            if time.monotonic() > until:
                return False
            await asyncio.sleep(1)
        return True

    async def ask(self, message: Message, seconds: float) -> Heard:
        allowed_ms = int(seconds * 1000) + pull.WAY_MS
        kind, began = OpenTurn.Kind.CHECK, time.monotonic()
        await self._host.run_db(pull.put, self._bot_id, kind, message, allowed_ms)
        found = await outcome(self._host, message.request_id, allowed_ms / 1000)
        ms = (time.monotonic() - began) * 1000
        if found is None or found.reply is None:
            return Heard(None, "timeout: no answer came in time", ms)
        return Heard(found.reply, "", ms)
