"""Bots that answer wrongly in every way: what each sends after a turn, and which fault that is.

Each kind is a server of its own that wakes up when asked and then misbehaves on every turn.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import sys
from collections.abc import AsyncIterator, Sequence
from typing import Final, NamedTuple

from bots_api.models import Fault
from tests.raw_server import Script, answer, read_request, serving

OK: Final = b"HTTP/1.1 200 OK\r\n"
SAYING: Final = b'{"protocol": 1, "version": "1", "presets": ["table"], "concurrency": 64}'
ELSEWHERE: Final = b'{"action": "P:9x4", "game": {"id": "01890000-0000-7000-8000-000000000000"}}'
LONG_S: Final = 60.0


class Endless(NamedTuple):
    """Bytes that are sent again and again until the other side has enough."""

    part: bytes
    pause_s: float = 0.0
    times: int = 1_000_000


Part = bytes | float | Endless
"""Bytes are sent as they are; a number is seconds to wait first."""


class Kind(NamedTuple):
    """What is sent after a turn, and the fault it is. `tls`: the call goes to an https address."""

    parts: Sequence[Part]
    fault: Fault.Kind
    tls: bool = False
    hang_up: bool = False


def said(body: bytes, fault: Fault.Kind) -> Kind:
    """A whole answer with this body."""
    return Kind([answer(body)], fault)


def status(line: str, fault: Fault.Kind, *headers: str) -> Kind:
    """A whole answer of another status, which would be right but for that."""
    return Kind([answer(b'{"action": "U"}', line, *headers)], fault)


_BOMB = gzip.compress(gzip.compress(b"0" * 40_000_000))
_DEEP = b'{"action": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
_F = Fault.Kind

KINDS: Final[dict[str, Kind]] = {
    "stall": Kind([LONG_S], _F.TIMEOUT),
    "late": Kind([0.6, answer(b'{"action": "U"}')], _F.TIMEOUT),
    "drip": Kind([OK + b"Content-Length: 900\r\n\r\n", Endless(b" ", 1.0)], _F.TIMEOUT),
    "stall-in-headers": Kind([OK + b"Content-Le", LONG_S], _F.TIMEOUT),
    "stall-in-body": Kind([OK + b"Content-Length: 90\r\n\r\n{", LONG_S], _F.TIMEOUT),
    "early-hints-for-ever": Kind([Endless(b"HTTP/1.1 103 Early\r\n\r\n", 0.001)], _F.TIMEOUT),
    "stall-in-tls": Kind([LONG_S], _F.TLS, tls=True),
    "truncated-tls": Kind([b"\x16\x03\x03\x00\x7a\x02"], _F.TLS, tls=True, hang_up=True),
    "plain-where-tls-is-due": Kind([answer()], _F.TLS, tls=True, hang_up=True),
    "hang-up": Kind([b""], _F.CONNECT, hang_up=True),
    "truncated": Kind([OK + b"Content-Length: 90\r\n\r\n{}"], _F.CONNECT, hang_up=True),
    "one-gigabyte": Kind(
        [OK + b"Content-Length: 1000000000\r\n\r\n", Endless(b"0" * 50_000, times=20_000)],
        _F.TOO_LARGE,
    ),
    "endless-chunks": Kind(
        [OK + b"Transfer-Encoding: chunked\r\n\r\n", Endless(b"3e8\r\n" + b"0" * 1000 + b"\r\n")],
        _F.TOO_LARGE,
    ),
    "endless-header": Kind([OK + b"X: ", Endless(b"y" * 1000)], _F.TOO_LARGE),
    "100k-headers": Kind([OK, Endless(b"X: y\r\n" * 100, times=1000)], _F.TOO_LARGE),
    "not-http": Kind([b"hello\r\n\r\n"], _F.BAD_REPLY, hang_up=True),
    "gzip-bomb": Kind([answer(_BOMB, "200 OK", "Content-Encoding: gzip, gzip")], _F.BAD_ENCODING),
    "redirect": status("302 Found", _F.REDIRECT, "Location: http://127.0.0.1:22/"),
    "redirect-308": status("308 Permanent Redirect", _F.REDIRECT, "Location: /move"),
    "empty": Kind([answer(b"", "204 No Content")], _F.HTTP_STATUS),
    "teapot": status("418 Teapot", _F.HTTP_STATUS),
    "error": status("500 Internal Server Error", _F.HTTP_STATUS),
    "busy": status("503 Service Unavailable", _F.HTTP_STATUS, "Retry-After: 3600"),
    "html": Kind([answer(b"<html></html>", "200 OK", "Content-Type: text/html")], _F.BAD_JSON),
    "header-of-bytes": Kind(
        [OK + b"Content-Type: a/\xff\xfe\xed\xa0\x80\r\nContent-Length: 2\r\n\r\nxx"], _F.BAD_JSON
    ),
    "reason-of-bytes": Kind(
        [b"HTTP/1.1 418 \xff\x01\r\nContent-Length: 0\r\n\r\n"], _F.HTTP_STATUS
    ),
    "body-of-bytes": said(bytes(range(256)), _F.BAD_JSON),
    "bom": said(b'\xef\xbb\xbf{"action": "U"}', _F.BAD_JSON),
    "two-documents": said(b'{"action": "U"}{}', _F.BAD_JSON),
    "duplicate-key": said(b'{"action": "U", "action": "P:9x1"}', _F.BAD_JSON),
    "nan": said(b'{"action": NaN}', _F.BAD_JSON),
    "5000-digits": said(b'{"action": ' + b"1" * 5000 + b"}", _F.BAD_JSON),
    "depth-100000": said(_DEEP, _F.TOO_LARGE),
    "depth-4000": said(_DEEP[:8000], _F.BAD_JSON),
    "nul": said(b'{"action": "\\u0000"}', _F.BAD_JSON),
    "lone-surrogate": said(b'{"action": "\\ud800"}', _F.BAD_JSON),
    "list": said(b'["U"]', _F.BAD_REPLY),
    "no-action": said(b'{"move": "U"}', _F.BAD_REPLY),
    "long-action": said(b'{"action": "' + b"U" * 5000 + b'"}', _F.BAD_REPLY),
    "long-note": said(b'{"action": "U", "note": "' + b"n" * 257 + b'"}', _F.BAD_REPLY),
    "body-after-the-end": Kind([answer(b'{"action": "hello"}') + b'{"action": "U"}'], _F.BAD_REPLY),
    "wrong-content-type": Kind(
        [answer(b'{"action": "hello"}', "200 OK", "Content-Type: image/png")], _F.ILLEGAL_ACTION
    ),
    "illegal": said(b'{"action": "P:*1"}', _F.ILLEGAL_ACTION),
    "malformed": said(b'{"action": "hello"}', _F.ILLEGAL_ACTION),
    "wrong-game": said(ELSEWHERE, _F.ILLEGAL_ACTION),
}


@contextlib.asynccontextmanager
async def hostile_bots() -> AsyncIterator[dict[str, str]]:
    """Every kind at a port of its own; gives their URLs."""
    async with contextlib.AsyncExitStack() as stack:
        urls: dict[str, str] = {}
        for name, kind in KINDS.items():
            port = await stack.enter_async_context(serving(_script(kind)))
            urls[name] = f"{'https' if kind.tls else 'http'}://127.0.0.1:{port}/{name}"
        yield urls


async def serve_until_input_ends() -> None:
    """Serve in a process of their own: says the URLs as a line of JSON."""
    async with hostile_bots() as urls:
        sys.stdout.write(json.dumps(urls) + "\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


def _script(kind: Kind) -> Script:
    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if kind.tls:
            await reader.read(100)
            await _send(kind.parts, writer)
            return
        while True:
            line, _, body = await read_request(reader)
            if line.startswith("GET"):
                writer.write(answer(SAYING))
            elif b'"type":"turn"' not in body:
                writer.write(answer(b"{}"))
            else:
                await _send(kind.parts, writer)
                if kind.hang_up:
                    return

    return script


async def _send(parts: Sequence[Part], writer: asyncio.StreamWriter) -> None:
    for part in parts:
        if isinstance(part, bytes):
            writer.write(part)
            await writer.drain()
        elif isinstance(part, Endless):
            await _send_again_and_again(part, writer)
        else:
            await asyncio.sleep(part)


async def _send_again_and_again(endless: Endless, writer: asyncio.StreamWriter) -> None:
    for _ in range(endless.times):
        if writer.is_closing():
            return
        writer.write(endless.part)
        await writer.drain()
        await asyncio.sleep(endless.pause_s)
