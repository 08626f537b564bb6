"""A server for tests that says byte for byte what a script says, however wrong it is."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import ssl
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from typing import TypeVar

from tests.certificates import server_context

CUT_SHORT = (ConnectionError, ssl.SSLError, asyncio.IncompleteReadError, asyncio.CancelledError)

Result = TypeVar("Result")
Script = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@contextlib.asynccontextmanager
async def serving(
    script: Script, tls: bool = False, host: str = "127.0.0.1", port: int = 0
) -> AsyncIterator[int]:
    """Run `script` for each connection to `host`; gives the port."""
    context = server_context() if tls else None
    running: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        running[task] = writer
        with contextlib.suppress(*CUT_SHORT):
            await script(reader, writer)
        writer.close()
        with contextlib.suppress(*CUT_SHORT):
            await writer.wait_closed()

    server = await asyncio.start_server(connected, host, port, ssl=context)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task, writer in running.items():
            task.cancel()
            writer.transport.abort()
        await asyncio.gather(*running, return_exceptions=True)
        await asyncio.sleep(0)


@contextlib.contextmanager
def in_thread(manager: AbstractAsyncContextManager[Result]) -> Iterator[Result]:
    """An asynchronous context in a thread with a loop of its own."""
    given: queue.Queue[Result] = queue.Queue()
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()

    async def main() -> None:
        async with manager as value:
            given.put(value)
            await stop.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(main(),))
    thread.start()
    try:
        yield given.get(timeout=5)
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()


@contextlib.contextmanager
def running(script: Script, port: int = 0) -> Iterator[int]:
    """Run `script` for each connection, in a thread; gives the port."""
    with in_thread(serving(script, port=port)) as found:
        yield found


async def read_request(reader: asyncio.StreamReader) -> tuple[str, dict[str, str], bytes]:
    """The next request of a connection: its first line, headers (lower case) and body."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return head[0], headers, body


def answer(body: bytes = b"{}", status: str = "200 OK", *headers: str) -> bytes:
    """A whole and right HTTP answer."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def saying(*parts: bytes | float) -> Script:
    """A script that reads one request, then sends the parts; a number is seconds to wait."""

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        for part in parts:
            if isinstance(part, bytes):
                writer.write(part)
                await writer.drain()
            else:
                await asyncio.sleep(part)

    return script


def repeating(first: bytes, part: bytes, pause: float = 0.0) -> Script:
    """A script that reads one request, sends `first`, then `part` for ever."""

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(first)
        while not writer.is_closing():
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(pause)

    return script
