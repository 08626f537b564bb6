"""The one client of every outgoing call: asks once, within limits, and never raises through.

Owns deadlines and slots. No redirects, no proxies, no cookies, no decompression. What the answer
means is the caller's business.
"""

from __future__ import annotations

import asyncio
import ssl
import weakref
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from time import monotonic
from typing import NamedTuple

from django.conf import settings
from yarl import URL

from config.kit.egress.addresses import Allowance, allowance
from config.kit.egress.deadline import Deadline
from config.kit.egress.exchange import Outgoing, Route, exchange
from config.kit.egress.guard import Connector, Guard, Lookup, system_lookup, system_trust
from config.kit.egress.marks import Marks, current, mark
from config.kit.egress.progress import Progress, fault_of, timings_of
from config.kit.egress.results import Call, EgressFault, FaultKind, Timings
from config.kit.egress.urls import UrlError, parse

__all__ = ["Budget", "Egress", "Outgoing", "configured"]

LOOKUP_THREADS = 32
CALLS_PER_ORIGIN = 64
PLACES_KEPT = 4096


class Budget(NamedTuple):
    """Seconds: `total_s` from the call's slot to its end, `answer_s` from the request written.

    A wait for one of the origin's slots comes before both.
    """

    total_s: float
    answer_s: float


class Place(NamedTuple):
    """A route that may be called; whatever shares its origin shares its slots."""

    route: Route
    scheme: str
    origin: str


class Egress:
    """Kept connections to any number of hosts. Make it in the event loop that uses it."""

    def __init__(
        self,
        allowed: Allowance,
        *,
        lookup: Lookup | None = None,
        trust: ssl.SSLContext | None = None,
        calls_per_origin: int = CALLS_PER_ORIGIN,
    ) -> None:
        self.allowed = allowed
        self._threads = ThreadPoolExecutor(LOOKUP_THREADS, "egress-dns")
        self._lookup = lookup or system_lookup(self._threads)
        self._trust = trust or system_trust()
        self._calls_per_origin = calls_per_origin
        self._place = lru_cache(PLACES_KEPT)(self._parsed)
        self._connectors: dict[str, Connector] = {}
        self._before_close: list[Callable[[], Awaitable[None]]] = []
        self._slots: weakref.WeakValueDictionary[str, asyncio.Semaphore] = (
            weakref.WeakValueDictionary()
        )

    async def call(self, url: str, outgoing: Outgoing, budget: Budget) -> Call | EgressFault:
        """Ask `url` once. Whatever the other side does, a value comes back in time."""
        try:
            place = self._place(outgoing.method, url)
        except UrlError as refused:
            return EgressFault(FaultKind.REFUSED, refused.reason, Timings())
        queued = monotonic()
        async with self._slot(place.origin):
            return await self._timed(place, outgoing, budget, queued)

    def before_close(self, callback: Callable[[], Awaitable[None]]) -> None:
        """Have `callback` awaited when the client closes: for what lives only beside it."""
        self._before_close.append(callback)

    async def close(self) -> None:
        """Close every connection; the client is of no use afterwards."""
        for callback in self._before_close:
            await callback()
        for connector in self._connectors.values():
            await connector.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _parsed(self, method: str, url: str) -> Place:
        target = parse(url, self.allowed)
        route = Route.to(method, URL(str(target), encoded=True))
        return Place(route, target.scheme, target.origin)

    async def _timed(
        self, place: Place, outgoing: Outgoing, budget: Budget, queued: float
    ) -> Call | EgressFault:
        deadline = Deadline(budget.total_s, budget.answer_s)
        progress = Progress(Marks(queued, deadline.written))
        token = current.set(progress.marks)
        try:
            with deadline:
                await exchange(self._connector(place.scheme), place.route, outgoing, progress)
        except Exception as error:
            mark("end")
            return fault_of(error, deadline.late, progress)
        else:
            mark("end")
        finally:
            current.reset(token)
        assert progress.status is not None
        timings = timings_of(progress.marks)
        return Call(progress.status, progress.headers, bytes(progress.body), timings)

    def _connector(self, scheme: str) -> Connector:
        if scheme not in self._connectors:
            guard = Guard(self.allowed, plain=scheme == "http")
            self._connectors[scheme] = Connector(guard, self._lookup, self._trust)
        return self._connectors[scheme]

    def _slot(self, origin: str) -> asyncio.Semaphore:
        # Whoever waits or is inside keeps the semaphore alive.
        slot = self._slots.get(origin)
        if slot is None:
            slot = self._slots[origin] = asyncio.Semaphore(self._calls_per_origin)
        return slot


def configured() -> Egress:
    """A client with the deployment's `EGRESS_ALLOW`."""
    return Egress(allowance(settings.EGRESS_ALLOW))
