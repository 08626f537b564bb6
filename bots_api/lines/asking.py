"""One decision put to a bot over its line, by the clock (bots.md, "Clocks and faults").

Owns the retry, what counts as late, and whose fault that is; refuses to know the database.
"""

from __future__ import annotations

import time
from typing import NamedTuple

from bots_api.lines.canary import SLACK_S, Canary
from bots_api.lines.line import Line
from bots_api.models import Fault
from bots_api.protocol import replies
from bots_api.protocol.messages import Message
from bots_api.protocol.replies import Chosen, Unusable
from config.kit.egress.client import Budget
from config.kit.egress.results import Call, EgressFault, FaultKind, Timings

# Connecting may take so much on top of the time for the answer, and no more: a table is held up
# for the deadline, the bank and half a second at the most.
CONNECT_S = 0.3
# Less than this is not worth a second try.
MIN_RETRY_S = 0.01
_LOST = (FaultKind.CONNECT, FaultKind.TLS)


class Verdict(NamedTuple):
    """What came of asking: a choice, or a fault; `ours` when it was late because we were."""

    result: Call | EgressFault
    spent_ms: int
    attempts: int
    held_ms: int
    parse_ms: float
    chosen: Chosen | None = None
    fault: Unusable | None = None
    ours: bool = False

    @property
    def lost(self) -> bool:
        """Whether the connection failed, rather than the bot."""
        return isinstance(self.result, EgressFault) and self.result.kind in _LOST


class Clock:
    """The time of one decision: it runs from the first request written, and then through."""

    def __init__(self, allowed_ms: int) -> None:
        self.allowed_s = allowed_ms / 1000
        self._asked = time.monotonic()
        self._written: float | None = None

    def budget(self) -> Budget:
        """What is left for a call, with the slack for delays of ours."""
        total = self._asked + self.allowed_s + CONNECT_S - time.monotonic()
        return Budget(total_s=max(0.0, total), answer_s=max(0.0, self._left()) + SLACK_S)

    def worth_a_retry(self) -> bool:
        """Whether there is time for another call."""
        return self._left() > MIN_RETRY_S

    def note(self, timings: Timings) -> None:
        """Take the start of the bot's time from a call, if this one got so far."""
        if self._written is None:
            self._written = timings.written_at

    def spent_ms(self) -> int:
        """What the bot has used up until now."""
        return 0 if self._written is None else round((time.monotonic() - self._written) * 1000)

    def held_ms(self) -> int:
        """How long the table has waited for this decision."""
        return round((time.monotonic() - self._asked) * 1000)

    def over(self) -> bool:
        """Whether the bot's time is up."""
        return self._left() < 0

    def _left(self) -> float:
        since = self._asked if self._written is None else self._written
        return since + self.allowed_s - time.monotonic()


async def ask(line: Line, canary: Canary, message: Message, allowed_ms: int) -> Verdict:
    """Ask once, and once more after a lost connection or a 5xx while there is time."""
    clock = Clock(allowed_ms)
    result, attempts = await line.call(message, clock.budget()), 1
    clock.note(result.timings)
    if _may_retry(result) and clock.worth_a_retry():
        result, attempts = await line.call(message, clock.budget()), 2
        clock.note(result.timings)
    return await _judged(result, clock, canary, attempts)


async def _judged(
    result: Call | EgressFault, clock: Clock, canary: Canary, attempts: int
) -> Verdict:
    spent_ms, late = clock.spent_ms(), _late(result, clock)
    ours = late and not await canary.vouches(time.monotonic())
    chosen, fault, parse_ms = _read(result)
    judged = (result, spent_ms, attempts, clock.held_ms(), parse_ms)
    if fault is not None:
        return Verdict(*judged, fault=fault, ours=ours)
    if late and not ours:
        tardy = Unusable(Fault.Kind.TIMEOUT, "the answer came after the deadline")
        return Verdict(*judged, fault=tardy)
    return Verdict(*judged, chosen)


def _read(result: Call | EgressFault) -> tuple[Chosen | None, Unusable | None, float]:
    """The choice or why there is none, and the milliseconds that reading took."""
    began = time.monotonic()
    chosen, fault = None, None
    try:
        chosen = replies.chosen(result)
    except Unusable as unusable:
        fault = unusable
    return chosen, fault, (time.monotonic() - began) * 1000


def _late(result: Call | EgressFault, clock: Clock) -> bool:
    return result.late if isinstance(result, EgressFault) else clock.over()


def _may_retry(result: Call | EgressFault) -> bool:
    if isinstance(result, EgressFault):
        return result.kind in _LOST and not result.late
    return result.status >= 500
