"""HTTP on one kept connection with as little work as can be: the client shares the processor."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from types import TracebackType
from typing import NamedTuple, Self


class Answer(NamedTuple):
    """Status, header names in lower case, body."""

    status: int
    headers: dict[bytes, bytes]
    body: bytes


class Connection:
    """One connection to a port of this machine."""

    def __init__(self, port: int, timeout: float = 60.0) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._socket.close()

    def ask(self, request: bytes) -> Answer:
        """Send the request's bytes and read its answer."""
        self._socket.sendall(request)
        return self.answer()

    def answer(self) -> Answer:
        """Read the next answer."""
        data = b""
        while (end := data.find(b"\r\n\r\n")) < 0:
            data += self._more()
        first, *lines = data[:end].split(b"\r\n")
        headers = dict(line.lower().split(b": ", 1) for line in lines)
        body = data[end + 4 :]
        while len(body) < int(headers.get(b"content-length", 0)):
            body += self._more()
        return Answer(int(first.split(b" ", 2)[1]), headers, body)

    def answer_part(self) -> bytes:
        """What comes next of an answer in pieces."""
        return self._more()

    def _more(self) -> bytes:
        part = self._socket.recv(65536)
        if not part:
            raise ConnectionError("the server has closed the connection")
        return part


def request(method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> bytes:
    """The bytes of a request."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body
