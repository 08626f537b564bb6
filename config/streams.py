"""The raw side: serves answers that stay open, with the manners of the other side.

Owns host check, request id, CORS and problems for them; what they say is their apps'.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine, MutableMapping
from typing import Any, Final

import structlog
from django.conf import settings
from django.http import HttpRequest, QueryDict, parse_cookie
from django.utils.translation import get_language_from_request, override
from rest_framework.request import Request

from config.kit import rates
from config.kit.request_id import HEADER, chosen
from config.kit.streaming import Reply, Shared, Stream
from config.kit.wire import dumps
from config.problems import MEDIA_TYPE, Row, exception_handler, problem
from games.authentication import rate_holder

log = structlog.get_logger(__name__)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

# How long a reader may take to make room for the next piece.
SLOWEST_S: Final = 30.0
_CORS: Final = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": ", ".join(settings.CORS_EXPOSE_HEADERS),
}
# The end of an answer; who has read nothing for long does not hear it.
_LAST_S: Final = 0.5
_LAST: Final = {"type": "http.response.body", "body": b""}
_OUR_FAULT: Final = Row(500, "Our fault", "Tell us the request_id; trying again may help.")


async def serve(stream: Stream, shared: Shared, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer one GET and go on until it is done, the reader has left, or the process ends."""
    request = request_of(scope)
    with structlog.contextvars.bound_contextvars(request_id=request.META["request_id"]):
        try:
            request.get_host()
            request.GET = QueryDict(scope.get("query_string", b"").decode("ascii"))
            rates.count(request, await shared.readers.run(rate_holder, request))
            reply = await stream(request, shared)
        except Exception as error:
            await _refuse(error, request, send)
            return
        await _start(reply.status, reply.content_type, request, send)
        # A server that does not wait for open answers calls this off.
        with contextlib.suppress(asyncio.CancelledError):
            await _first(_pump(reply, send), _gone(receive), shared.ending.wait())
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LAST_S):
                await send(_LAST)


def request_of(scope: Scope) -> HttpRequest:
    """The request as views know it, but for its query, which may be refused; it has no body."""
    request = HttpRequest()
    request.method, request.path = scope["method"], scope["path"]
    request.path_info = request.path
    headers = [(_name(name), value.decode("latin-1")) for name, value in scope["headers"]]
    request.META = dict(headers)
    request.COOKIES = parse_cookie(request.META.get("HTTP_COOKIE", ""))
    request.META |= {"SERVER_NAME": "", "SERVER_PORT": "", "REMOTE_ADDR": _address(scope)}
    request.META["request_id"] = chosen(request.META.get("HTTP_X_REQUEST_ID", ""))
    return request


async def _refuse(error: Exception, request: HttpRequest, send: Send) -> None:
    with override(get_language_from_request(request)):
        answer = exception_handler(error, {"request": Request(request)})
    if answer is None:
        log.exception("stream_failed", path=request.path)
        body = problem(_OUR_FAULT, "server_error", "", request.META["request_id"], {})
        await _start(500, MEDIA_TYPE, request, send)
    else:
        body = answer.data
        kept = {k: v for k, v in answer.items() if k.lower() != "content-type"}
        await _start(answer.status_code, MEDIA_TYPE, request, send, kept)
    await send({"type": "http.response.body", "body": dumps(body)})


async def _start(
    status: int, kind: str, request: HttpRequest, send: Send, more: dict[str, str] | None = None
) -> None:
    headers = {
        "Content-Type": kind,
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        # A proxy that gathers an answer before it passes it on would stop a stream.
        "X-Accel-Buffering": "no",
        HEADER: request.META["request_id"],
        **rates.headers_of(request),
        **(_CORS if "HTTP_ORIGIN" in request.META else {}),
        **(more or {}),
    }
    lines = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": lines})


async def _pump(reply: Reply, send: Send) -> None:
    try:
        async with contextlib.aclosing(reply.chunks) as chunks:
            async for chunk in chunks:
                async with asyncio.timeout(SLOWEST_S):
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
    except TimeoutError:
        # Who reads nothing gets no more: what waits for it must not grow.
        return
    except Exception:
        # The answer has begun: its end is all that can be said. Readers come again.
        log.warning("stream_broken_off", exc_info=True)


async def _first(*waits: Coroutine[Any, Any, object]) -> None:
    """Go on until one of them is done; the others are called off."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _name(header: bytes) -> str:
    return "HTTP_" + header.decode("latin-1").upper().replace("-", "_")


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else ""
