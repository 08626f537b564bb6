"""The canary: tells whether a bot was late, or this process was (guarantees.md, "Clocks").

A small server in a thread of this process is called all the while through the same event loop
and HTTP client as the bots. A call that was under way when a bot's time ran out and came back in
time shows that an answer would have been seen. Knows nothing of bots.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

from config.kit.egress.addresses import allowance
from config.kit.egress.client import Budget, Egress, Outgoing
from config.kit.egress.results import Call

# The server thinks so long, so that some call is under way at any moment; and how much more one
# may take. SLACK_S is also what bots are given on top of their deadline: a delay of ours that
# the canary can't see must not cost them an answer.
HOLD_S: Final = 0.1
SLACK_S: Final = 0.05
# Calls that were under way in this time before the moment in question count too.
LOOK_BACK_S: Final = 0.25
IDLE_S: Final = 10.0

_PATIENCE = Budget(total_s=5, answer_s=5)
_GET = Outgoing("GET")


@dataclass
class Flight:
    """One call: when it was sent and, once back, whether that was in time."""

    sent: float = field(default_factory=time.monotonic)
    back: float | None = None
    sound: bool = False

    @property
    def due(self) -> float:
        """When it should be back."""
        return self.sent + HOLD_S + SLACK_S


class Canary:
    """Calls its own server as long as somebody asks `watch` every now and then."""

    def __init__(self) -> None:
        self._egress = Egress(allowance(["loopback"]))
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(HOLD_S,), name="canary", daemon=True
        )
        self._thread.start()
        self._flights: deque[Flight] = deque(maxlen=64)
        self._wanted_until = 0.0
        self._flying: asyncio.Task[None] | None = None

    def watch(self) -> None:
        """Say that a bot is about to be called."""
        self._wanted_until = time.monotonic() + IDLE_S
        if self._flying is None or self._flying.done():
            self._flying = asyncio.create_task(self._fly())

    async def vouches(self, moment: float) -> bool:
        """Whether this process was awake at `moment` (monotonic) and just before it."""
        concerned = [one for one in self._flights if _concerns(one, moment)]
        if not concerned:
            return False
        while concerned[-1].back is None and time.monotonic() < concerned[-1].due:
            await asyncio.sleep(0.005)
        return all(one.sound for one in concerned)

    async def close(self) -> None:
        """Stop calling and serving."""
        if self._flying is not None:
            self._flying.cancel()
            await asyncio.gather(self._flying, return_exceptions=True)
        await self._egress.close()
        await asyncio.to_thread(self._server.shutdown)
        self._thread.join()
        self._server.server_close()

    async def _fly(self) -> None:
        url = f"http://127.0.0.1:{self._server.server_port}/"
        while time.monotonic() < self._wanted_until:
            flight = Flight()
            self._flights.append(flight)
            answer = await self._egress.call(url, _GET, _PATIENCE)
            flight.back = time.monotonic()
            flight.sound = isinstance(answer, Call) and flight.back <= flight.due


def _concerns(flight: Flight, moment: float) -> bool:
    ended = flight.back if flight.back is not None else moment
    return flight.sent <= moment and ended >= moment - LOOK_BACK_S


class _Server(ThreadingHTTPServer):
    daemon_threads = True


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        """Think a while, then say nothing."""
        time.sleep(HOLD_S)
        self.send_response_only(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""
