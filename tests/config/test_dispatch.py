"""The dispatcher: what reaches Django, and the server's lifespan."""

from __future__ import annotations

import asyncio
import json
from collections.abc import MutableMapping
from typing import Any

from config.dispatch import Dispatcher
from config.kit.wire import LONGEST_BODY

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


class Sender:
    """One request sent bit by bit; None means that nothing more comes for now."""

    def __init__(self, *parts: bytes | None, headers: list[tuple[bytes, bytes]]) -> None:
        self.scope: Message = {"type": "http", "headers": headers}
        self.parts = list(parts)
        self.sent: list[Message] = []
        self.got: list[Message] = []

    async def receive(self) -> Message:
        part = self.parts.pop(0)
        if part is None:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": part, "more_body": bool(self.parts)}

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    async def wsgi_side(self, scope: Message, receive: Any, send: Any) -> None:
        self.got.append({"headers": scope["headers"], **await receive()})

    def run(self, body_seconds: float = 5.0) -> None:
        asyncio.run(Dispatcher(self.wsgi_side, body_seconds)(self.scope, self.receive, self.send))


def test_a_body_in_chunks_arrives_whole_and_with_its_length() -> None:
    sender = Sender(b'{"na', b'me": 1}', headers=[(b"transfer-encoding", b"chunked")])
    sender.run()
    (got,) = sender.got
    assert (got["body"], got["more_body"]) == (b'{"name": 1}', False)
    assert got["headers"] == [(b"content-length", b"11")]


def test_a_body_that_does_not_come_takes_no_thread_and_is_refused() -> None:
    sender = Sender(b'{"na', None, headers=[(b"content-length", b"20")])
    sender.run(body_seconds=0.05)
    assert sender.got == []
    start, body = sender.sent
    assert (start["status"], (b"connection", b"close") in start["headers"]) == (408, True)
    assert json.loads(body["body"])["code"] == "body_too_slow"


def test_of_a_body_that_is_too_long_no_more_is_read_than_shows_it() -> None:
    parts = [b"a" * 65536] * 9
    sender = Sender(*parts, headers=[(b"content-length", b"589824")])
    sender.run()
    (got,) = sender.got
    assert LONGEST_BODY < len(got["body"]) <= LONGEST_BODY + 65536
    assert sender.parts


def test_where_a_competition_is_imported_a_longer_body_is_read() -> None:
    parts = [b"a" * 65536] * 9
    sender = Sender(*parts, headers=[(b"content-length", b"589824")])
    sender.scope["path"] = "/api/v1/clubs/kulma/imports"
    sender.run()
    assert len(sender.got[0]["body"]) == 589824


def test_a_sender_who_has_gone_is_not_answered() -> None:
    sender = Sender(headers=[(b"content-length", b"20")])

    async def gone() -> Message:
        return {"type": "http.disconnect"}

    asyncio.run(Dispatcher(sender.wsgi_side)(sender.scope, gone, sender.send))
    assert (sender.got, sender.sent) == ([], [])


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
