"""The one client of every outgoing call: asks once, within limits, and never raises through.

Owns deadlines, size caps and timings. No redirects, no proxies, no cookies, no decompression.
What the answer means is the caller's business.
"""

from __future__ import annotations

import asyncio
import ssl
import weakref
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from time import monotonic
from typing import NamedTuple

import aiohttp
from django.conf import settings
from yarl import URL

from config.kit.egress.addresses import Allowance, allowance
from config.kit.egress.guard import (
    Connector,
    Guard,
    Lookup,
    Request,
    system_lookup,
    system_trust,
)
from config.kit.egress.marks import Marks, current, mark
from config.kit.egress.progress import Progress, TooLargeError, fault_of, timings_of
from config.kit.egress.results import Call, EgressFault, FaultKind, Timings
from config.kit.egress.urls import UrlError, parse

MAX_HEADERS = 8 * 1024
MAX_HEADER_LINES = 100
LOOKUP_THREADS = 32
CALLS_PER_ORIGIN = 64
PLACES_KEPT = 4096
USER_AGENT = "Housuliiga/1"


@dataclass(frozen=True)
class Outgoing:
    """What to send, and how long an answer's body may be."""

    method: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    max_body: int = 16 * 1024


@dataclass(frozen=True)
class Budget:
    """Seconds: `total_s` from the call's slot to its end, `answer_s` from the request written.

    A wait for one of the origin's slots comes before both.
    """

    total_s: float
    answer_s: float


class Place(NamedTuple):
    """A URL that may be called; whatever shares its origin shares its slots."""

    url: URL
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
        self._sessions: dict[str, aiohttp.ClientSession] = {}
        self._before_close: list[Callable[[], Awaitable[None]]] = []
        self._slots: weakref.WeakValueDictionary[str, asyncio.Semaphore] = (
            weakref.WeakValueDictionary()
        )

    async def call(self, url: str, outgoing: Outgoing, budget: Budget) -> Call | EgressFault:
        """Ask `url` once. Whatever the other side does, a value comes back in time."""
        try:
            place = self._place(url)
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
        for session in self._sessions.values():
            await session.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _parsed(self, url: str) -> Place:
        target = parse(url, self.allowed)
        return Place(URL(str(target), encoded=True), target.scheme, target.origin)

    async def _timed(
        self, place: Place, outgoing: Outgoing, budget: Budget, queued: float
    ) -> Call | EgressFault:
        loop = asyncio.get_running_loop()
        end = loop.time() + budget.total_s
        timer = asyncio.timeout_at(end)

        def answer_is_due() -> None:
            timer.reschedule(min(end, loop.time() + budget.answer_s))

        progress = Progress(Marks(queued, answer_is_due))
        token = current.set(progress.marks)
        try:
            async with timer:
                await self._exchange(place, outgoing, progress)
        except Exception as error:
            mark("end")
            return fault_of(error, timer.expired(), progress)
        else:
            mark("end")
        finally:
            current.reset(token)
        assert progress.status is not None
        timings = timings_of(progress.marks)
        return Call(progress.status, progress.headers, bytes(progress.body), timings)

    async def _exchange(self, place: Place, outgoing: Outgoing, progress: Progress) -> None:
        async with self._session(place.scheme).request(
            outgoing.method,
            place.url,
            headers=outgoing.headers,
            data=outgoing.body,
            allow_redirects=False,
        ) as response:
            mark("first_byte")
            progress.status = response.status
            progress.headers = _headers(response)
            async for chunk in response.content.iter_any():
                progress.body += chunk
                if len(progress.body) > outgoing.max_body:
                    raise TooLargeError(f"the body is over {outgoing.max_body} bytes")

    def _session(self, scheme: str) -> aiohttp.ClientSession:
        if scheme not in self._sessions:
            guard = Guard(self.allowed, plain=scheme == "http")
            self._sessions[scheme] = aiohttp.ClientSession(
                connector=Connector(guard, self._lookup, self._trust),
                auto_decompress=False,
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"User-Agent": USER_AGENT, "Accept-Encoding": "identity"},
                max_headers=MAX_HEADER_LINES,
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),
                request_class=Request,
                trust_env=False,
            )
        return self._sessions[scheme]

    def _slot(self, origin: str) -> asyncio.Semaphore:
        # Whoever waits or is inside keeps the semaphore alive.
        slot = self._slots.get(origin)
        if slot is None:
            slot = self._slots[origin] = asyncio.Semaphore(self._calls_per_origin)
        return slot


def configured() -> Egress:
    """A client with the deployment's `EGRESS_ALLOW`."""
    return Egress(allowance(settings.EGRESS_ALLOW))


def _headers(response: aiohttp.ClientResponse) -> dict[str, str]:
    if sum(len(name) + len(value) + 4 for name, value in response.raw_headers) > MAX_HEADERS:
        raise TooLargeError(f"the headers are over {MAX_HEADERS} bytes")
    headers: dict[str, str] = {}
    for name, value in response.headers.items():
        headers.setdefault(name.lower(), value)
    return headers
