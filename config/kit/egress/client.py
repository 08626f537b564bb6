"""The one client of every outgoing call: asks once, within limits, and never raises through.

Owns deadlines, size caps and timings. No redirects, no proxies, no cookies, no decompression.
What the answer means is the caller's business.
"""

from __future__ import annotations

import asyncio
import ssl
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic
from types import SimpleNamespace

import aiohttp
from django.conf import settings
from yarl import URL

from config.kit.egress.addresses import Allowance, allowance
from config.kit.egress.guard import (
    Connector,
    Guard,
    Lookup,
    mark,
    marks,
    system_lookup,
    system_trust,
)
from config.kit.egress.progress import Progress, TooLargeError, fault_of, timings_of
from config.kit.egress.results import Call, EgressFault, FaultKind, Timings
from config.kit.egress.urls import Target, UrlError, parse

MAX_HEADERS = 8 * 1024
MAX_HEADER_LINES = 100
LOOKUP_THREADS = 32
CALLS_PER_ORIGIN = 64
USER_AGENT = "Housuliiga/1"

Signal = Callable[[aiohttp.ClientSession, SimpleNamespace, object], Awaitable[None]]


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
        self._sessions: dict[str, aiohttp.ClientSession] = {}
        self._before_close: list[Callable[[], Awaitable[None]]] = []
        self._slots: weakref.WeakValueDictionary[str, asyncio.Semaphore] = (
            weakref.WeakValueDictionary()
        )

    async def call(self, url: str, outgoing: Outgoing, budget: Budget) -> Call | EgressFault:
        """Ask `url` once. Whatever the other side does, a value comes back in time."""
        try:
            target = parse(url, self.allowed)
        except UrlError as refused:
            return EgressFault(FaultKind.REFUSED, refused.reason, Timings())
        queued = monotonic()
        async with self._slot(target):
            progress = Progress({"queued": queued, "start": monotonic()})
            token = marks.set(progress.marks)
            try:
                return await self._timed(target, outgoing, budget, progress)
            finally:
                marks.reset(token)

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

    async def _timed(
        self, target: Target, outgoing: Outgoing, budget: Budget, progress: Progress
    ) -> Call | EgressFault:
        end = asyncio.get_running_loop().time() + budget.total_s
        timer = asyncio.timeout_at(end)
        try:
            async with timer:
                await self._exchange(target, outgoing, budget.answer_s, timer, progress)
        except Exception as error:
            mark("end")
            return fault_of(error, timer.expired(), progress)
        mark("end")
        assert progress.status is not None
        timings = timings_of(progress.marks)
        return Call(progress.status, progress.headers, bytes(progress.body), timings)

    async def _exchange(
        self,
        target: Target,
        outgoing: Outgoing,
        answer_s: float,
        timer: asyncio.Timeout,
        progress: Progress,
    ) -> None:
        async with self._session(target.scheme).request(
            outgoing.method,
            URL(str(target), encoded=True),
            headers=outgoing.headers,
            data=outgoing.body,
            allow_redirects=False,
            trace_request_ctx=(timer, timer.when(), answer_s),
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
                trace_configs=[_tracing()],
                trust_env=False,
            )
        return self._sessions[scheme]

    @asynccontextmanager
    async def _slot(self, target: Target) -> AsyncIterator[None]:
        fresh = asyncio.Semaphore(self._calls_per_origin)
        async with self._slots.setdefault(target.origin, fresh):
            yield


def configured() -> Egress:
    """A client with the deployment's `EGRESS_ALLOW`."""
    return Egress(allowance(settings.EGRESS_ALLOW))


def _tracing() -> aiohttp.TraceConfig:
    trace = aiohttp.TraceConfig()
    trace.on_connection_reuseconn.append(_marker("reused"))
    trace.on_dns_resolvehost_start.append(_marker("dns"))
    trace.on_dns_resolvehost_end.append(_marker("dns_end"))
    trace.on_connection_create_end.append(_marker("connected"))
    trace.on_request_headers_sent.append(_written)
    trace.on_request_chunk_sent.append(_written)
    return trace


def _marker(step: str) -> Signal:
    async def note(session: aiohttp.ClientSession, context: SimpleNamespace, _: object) -> None:
        mark(step)

    return note


async def _written(session: aiohttp.ClientSession, context: SimpleNamespace, _: object) -> None:
    """The request has gone out: from now on the time is the other side's."""
    mark("written")
    timer, end, answer_s = context.trace_request_ctx
    timer.reschedule(min(end, asyncio.get_running_loop().time() + answer_s))


def _headers(response: aiohttp.ClientResponse) -> dict[str, str]:
    if sum(len(name) + len(value) + 4 for name, value in response.raw_headers) > MAX_HEADERS:
        raise TooLargeError(f"the headers are over {MAX_HEADERS} bytes")
    headers: dict[str, str] = {}
    for name, value in response.headers.items():
        headers.setdefault(name.lower(), value)
    return headers
