"""The ASGI front: streams to a raw handler, everything else to Django in threads.

Owns what both sides must agree on before a request is split up, and reads bodies, so that a slow
sender holds no thread; checks nothing that Django checks again.
"""

from __future__ import annotations

import asyncio
import re
import signal
import threading
import uuid
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from types import FrameType
from typing import Any, Final
from urllib.parse import quote_from_bytes

from config.kit.streaming import Route, Shared, Stream
from config.kit.wire import LONGEST_BODY, LONGEST_DOCUMENT, dumps
from config.problems import MEDIA_TYPE, Row, problem
from config.streams import serve

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
# The kinds of messages differ in every library's typing.
App = Callable[[Any, Any, Any], Awaitable[None]]

# Django's threads are few: a request gets one when its body is there, and that long it may take.
BODY_SECONDS: Final = 20.0
_TAKES_DOCUMENTS: Final = re.compile(r"/api/v1/clubs/[^/]+/imports")
TOO_SLOW: Final = Row(408, "Body too slow", "Send the whole body at once.")

# What may stand in a query string as it is; the rest arrives percent-encoded or is made so.
_QUERY_SAFE = "".join(map(chr, range(0x21, 0x7F)))


class Dispatcher:
    """Sends each request to the side that serves it; what `streams` take to the raw one."""

    def __init__(
        self,
        wsgi_side: App,
        body_seconds: float = BODY_SECONDS,
        streams: Sequence[Route] = (),
    ) -> None:
        self._wsgi_side = wsgi_side
        self._body_seconds = body_seconds
        self._streams = streams
        self._shared: Shared | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection: a request, or the server's lifespan."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            route = next((route for route in self._streams if route.takes(scope)), None)
            if route is not None:
                await self._open(route.stream, _cleaned(scope), receive, send)
            else:
                await self._request(_cleaned(scope), receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with asyncio.timeout(self._body_seconds):
                body = await _body(receive, _longest(scope)) if _has_body(scope) else b""
        except TimeoutError:
            await _refuse(send, TOO_SLOW, "body_too_slow")
            return
        if body is not None:
            await self._wsgi_side(_with_length(scope, body), _once(body), send)

    async def _open(self, stream: Stream, scope: Scope, receive: Receive, send: Send) -> None:
        await serve(stream, self._share(), scope, receive, send)

    def _share(self) -> Shared:
        """Made when it is first needed, inside the loop."""
        self._shared = self._shared or Shared()
        return self._shared

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                _end_with_the_process(self._share().ending)
            if message["type"] == "lifespan.shutdown" and self._shared is not None:
                await self._shared.close()
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return


def _end_with_the_process(ending: asyncio.Event) -> None:
    """Set `ending` when the server is told to end: it waits for open answers, and they for this.

    Its own handlers stand by now; they are called after ours. Only the main thread hears signals.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)

        def told(received: int, frame: FrameType | None, before: Any = before) -> None:
            loop.call_soon_threadsafe(ending.set)
            if callable(before):
                before(received, frame)

        signal.signal(number, told)


def _cleaned(scope: Scope) -> Scope:
    """The request without what the WSGI side would misread.

    A header `X_Forwarded_Proto` would become the same variable as `X-Forwarded-Proto`, which a
    proxy sets and we may trust; a query that is not ASCII has no form in WSGI.
    """
    headers = [(name, value) for name, value in scope["headers"] if b"_" not in name]
    query = scope.get("query_string", b"")
    if not query.isascii():
        query = quote_from_bytes(query, safe=_QUERY_SAFE).encode()
    return {**scope, "headers": headers, "query_string": query}


def _has_body(scope: Scope) -> bool:
    names = {name for name, _ in scope["headers"]}
    return bool(names & {b"content-length", b"transfer-encoding"})


def _longest(scope: Scope) -> int:
    """How much of a body is read: whole documents come to one address only."""
    return LONGEST_DOCUMENT if _TAKES_DOCUMENTS.fullmatch(scope.get("path", "")) else LONGEST_BODY


async def _body(receive: Receive, longest: int) -> bytes | None:
    """The body, of one that is too long as much as shows it; None if the sender has gone."""
    body = bytearray()
    while len(body) <= longest:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if not message.get("more_body", False):
            break
    return bytes(body)


def _with_length(scope: Scope, body: bytes) -> Scope:
    """WSGI finds a body by its length alone, which one sent in chunks has not told."""
    told = (b"content-length", b"transfer-encoding")
    headers = [(name, value) for name, value in scope["headers"] if name not in told]
    if body:
        headers.append((b"content-length", str(len(body)).encode()))
    return {**scope, "headers": headers}


def _once(body: bytes) -> Receive:
    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


async def _refuse(send: Send, row: Row, code: str) -> None:
    """Answer in Django's place, and end the connection: the rest of the body may still come."""
    body = dumps(problem(row, code, row.title + ".", uuid.uuid4().hex, {}))
    headers = [
        (b"content-type", MEDIA_TYPE.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": row.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
