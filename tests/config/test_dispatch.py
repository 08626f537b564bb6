"""The dispatcher: what reaches Django, and the server's lifespan."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

from config.dispatch import Dispatcher

Message = MutableMapping[str, Any]


async def _unused() -> Message:
    raise AssertionError("nothing is to be received")


def passed_on(**scope: Any) -> Message:
    """The scope that the WSGI side gets for an HTTP scope."""
    seen: list[Message] = []

    async def wsgi_side(inner: Message, receive: Any, send: Any) -> None:
        seen.append(inner)

    async def send(message: Message) -> None:
        raise AssertionError(message)

    asyncio.run(Dispatcher(wsgi_side)({"type": "http", "headers": [], **scope}, _unused, send))
    return seen[0]


def test_header_names_with_an_underscore_never_arrive() -> None:
    headers = [(b"x_forwarded_proto", b"https"), (b"x-forwarded-proto", b"http"), (b"host", b"a")]
    assert passed_on(headers=headers)["headers"] == headers[1:]


def test_a_query_that_is_not_ascii_is_percent_encoded() -> None:
    assert passed_on(query_string=b"a=\xff&b=%20c")["query_string"] == b"a=%FF&b=%20c"


def test_the_lifespan_is_answered() -> None:
    sent: list[str] = []
    messages = iter(["lifespan.startup", "lifespan.shutdown"])

    async def receive() -> Message:
        return {"type": next(messages)}

    async def send(message: Message) -> None:
        sent.append(message["type"])

    async def never(*_: Any) -> None:
        raise AssertionError

    asyncio.run(Dispatcher(never)({"type": "lifespan"}, receive, send))
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


def test_websockets_are_closed() -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def never(*_: Any) -> None:
        raise AssertionError

    asyncio.run(Dispatcher(never)({"type": "websocket"}, _unused, send))
    assert sent == [{"type": "websocket.close", "code": 1000}]
