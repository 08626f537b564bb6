"""Carrying a check out: the questions, in order, over whichever transport the bot has.

Reads like the list in docs/bots.md. What is asked comes from `positions`; whether it counts as
passed is decided here, and stored by `services.checks`.
"""

from __future__ import annotations

import secrets
import statistics
import time
from collections.abc import Callable
from typing import Any, Final

from bots_api import queries
from bots_api.checks.askers import Asker, Heard, asker_of
from bots_api.protocol import positions, replies
from bots_api.protocol.messages import Message, full_message, nonce_message, turn_message
from bots_api.protocol.positions import POSITIONS, Position
from bots_api.protocol.replies import Unusable
from bots_api.services.checks import Report
from games.agents import Host

COLD_MS: Final = 2000
# What is slower than the deadline comes off the bank: a note. This is too slow for any.
PATIENCE_S: Final = 5.0


async def carry_out(bot_id: int, host: Host) -> Report:
    """Check a bot from beginning to end."""
    way = await host.run_db(queries.way, bot_id)
    asker = await asker_of(bot_id, way.pulls, host)
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
