"""One request and its answer over a kept connection.

aiohttp keeps the connections and reads the answers. Its session is left out: what it makes for
each call (request, response, writer, a task) cost more than all else (`manage.py bench bots`),
and our requests are all alike. Owns what is written; knows no deadlines.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import Connection
from yarl import URL

from config.kit.egress.guard import Connector
from config.kit.egress.marks import mark, mark_written
from config.kit.egress.progress import Progress, TooLargeError

MAX_HEADERS: Final = 8 * 1024
MAX_HEADER_LINES: Final = 100
USER_AGENT: Final = "Housuliiga/1"
_NO_LIMIT: Final = aiohttp.ClientTimeout(total=None, sock_connect=None)


@dataclass(frozen=True)
class Outgoing:
    """What to send, and how long an answer's body may be."""

    method: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    max_body: int = 16 * 1024


class Route(NamedTuple):
    """A method and a URL: where to connect to, and how each such request begins."""

    request: aiohttp.ClientRequest
    head: bytes

    @classmethod
    def to(cls, method: str, url: URL) -> Route:
        """The route; make it in the event loop that uses it."""
        own = {"User-Agent": USER_AGENT, "Accept-Encoding": "identity"}
        request = aiohttp.ClientRequest(method, url, headers=own, loop=asyncio.get_running_loop())
        request.headers.pop("Content-Length", None)
        line = f"{request.method} {url.raw_path_qs} HTTP/1.1"
        return cls(request, f"{line}\r\n{_lines(request.headers)}".encode())


async def exchange(
    connector: Connector, route: Route, outgoing: Outgoing, progress: Progress
) -> None:
    """Ask once and note in `progress` what comes; raises what went wrong.

    A request without a body changes nothing, so where the connection had been kept and was lost
    before any answer it goes out once more: the other side may just have hung up.
    """
    while True:
        connection = await connector.connect(route.request, [], _NO_LIMIT)
        try:
            await _over(connection, route, outgoing, progress)
        except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError):
            kept = progress.marks.pop("reused", None) is not None
            if outgoing.body is not None or not kept or progress.status is not None:
                raise
        else:
            return


async def _over(
    connection: Connection, route: Route, outgoing: Outgoing, progress: Progress
) -> None:
    """A connection that was not used up, by whatever reason, is closed."""
    try:
        protocol = connection.protocol
        assert protocol is not None
        protocol.set_response_params(
            read_until_eof=True, auto_decompress=False, max_headers=MAX_HEADER_LINES
        )
        await _write(protocol, route, outgoing)
        mark_written()
        await _read(protocol, outgoing.max_body, progress)
    except BaseException:
        connection.close()
        raise
    connection.release()


async def _write(protocol: ResponseHandler, route: Route, outgoing: Outgoing) -> None:
    body = outgoing.body or b""
    length = "" if outgoing.body is None else f"Content-Length: {len(body)}\r\n"
    lines = f"{length}{_lines(outgoing.headers)}\r\n".encode()
    assert protocol.transport is not None
    protocol.transport.write(b"".join((route.head, lines, body)))
    if protocol.writing_paused:
        await protocol._drain_helper()


async def _read(protocol: ResponseHandler, max_body: int, progress: Progress) -> None:
    message, content = await protocol.read()
    while 100 <= message.code < 200 and message.code != 101:
        message, content = await protocol.read()
    mark("first_byte")
    progress.status = message.code
    if sum(len(name) + len(value) + 4 for name, value in message.raw_headers) > MAX_HEADERS:
        raise TooLargeError(f"the headers are over {MAX_HEADERS} bytes")
    progress.headers = message.headers
    while not content.at_eof():
        progress.body += await content.readany()
        if len(progress.body) > max_body:
            raise TooLargeError(f"the body is over {max_body} bytes")


def _lines(headers: Mapping[str, str]) -> str:
    """Header lines; raises `ValueError` for a value that would be more than one of them."""
    lines = "".join([f"{name}: {value}\r\n" for name, value in headers.items()])
    if lines.count("\n") != len(headers) or lines.count("\r") != len(headers) or "\0" in lines:
        raise ValueError("a header has a line break")
    return lines
