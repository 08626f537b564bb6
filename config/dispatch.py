"""The ASGI front: streams to a raw handler, everything else to Django in threads.

Owns what both sides must agree on before a request is split up; checks nothing that Django
checks again. Streams come with the live views; until then every path goes to the WSGI side.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import quote_from_bytes

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
# The kinds of messages differ in every library's typing.
App = Callable[[Any, Any, Any], Awaitable[None]]

# What may stand in a query string as it is; the rest arrives percent-encoded or is made so.
_QUERY_SAFE = "".join(map(chr, range(0x21, 0x7F)))


class Dispatcher:
    """Sends each request to the side that can serve it."""

    def __init__(self, wsgi_side: App) -> None:
        self._wsgi_side = wsgi_side

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection: a request, or the server's lifespan."""
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        elif scope["type"] == "http":
            await self._wsgi_side(_cleaned(scope), receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})


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


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
