"""The raw side refuses what the other side refuses, in the same words."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, MutableMapping
from typing import Any

import pytest
from django.http import HttpRequest

from config.kit.streaming import Reply, Shared
from config.streams import serve

Message = MutableMapping[str, Any]


async def never(request: HttpRequest, shared: Shared) -> Reply:
    raise AssertionError("the stream was asked")


def refused(host: bytes = b"localhost", query: bytes = b"") -> tuple[int, dict[str, Any]]:
    """Status and problem of a GET that comes to no stream."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        raise AssertionError("nothing is to be received")

    async def ask() -> None:
        scope = {"method": "GET", "path": "/s", "headers": [(b"host", host)], "query_string": query}
        shared = Shared()
        await serve(never, shared, scope, receive, send)
        await shared.close()

    asyncio.run(ask())
    start, body = sent
    return start["status"], json.loads(body["body"])


def test_a_reader_who_takes_nothing_is_let_go_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.streams.SLOWEST_S", 0.05)
    written: list[int] = []
    closed: list[bool] = []

    async def pieces() -> AsyncGenerator[bytes, None]:
        try:
            for number in range(1000):
                written.append(number)
                yield b"x" * 1000
        finally:
            closed.append(True)

    async def stream(request: HttpRequest, shared: Shared) -> Reply:
        return Reply("text/event-stream", pieces())

    async def send(message: Message) -> None:
        if message.get("body"):
            await asyncio.Event().wait()

    async def receive() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    async def ask() -> None:
        scope = {
            "method": "GET",
            "path": "/s",
            "headers": [(b"host", b"localhost")],
            "query_string": b"",
        }
        shared = Shared()
        await serve(stream, shared, scope, receive, send)
        await shared.close()

    asyncio.run(ask())
    assert (written, closed) == ([0], [True])


@pytest.mark.parametrize("host", [b"evil.example", b"", b"a b", b"\xff"])
def test_another_host_is_a_bad_request(host: bytes) -> None:
    status, told = refused(host=host)
    assert (status, told["code"], bool(told["hint"])) == (400, "bad_request", True)


def test_thousands_of_parameters_are_a_bad_request() -> None:
    status, told = refused(query=b"a=1&" * 5000)
    assert (status, told["code"]) == (400, "bad_request")
