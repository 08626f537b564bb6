"""The address people use: the listening socket of `make up`, which outlives the web process."""

import errno
import os
import socket

from config.embedded.errors import EmbeddedError

USUAL_PORT, TRIED_PORTS = 8000, 50
BACKLOG = 2048


def listen() -> socket.socket:
    """Listen on HOST (default 127.0.0.1) and PORT; without PORT on the first free from 8000.

    Raises `EmbeddedError` when PORT is taken or no port.
    """
    host, chosen = os.environ.get("HOST") or "127.0.0.1", os.environ.get("PORT")
    for port in [_number(chosen)] if chosen else range(USUAL_PORT, USUAL_PORT + TRIED_PORTS):
        try:
            return _bound(host, port)
        except OSError as refused:
            if refused.errno != errno.EADDRINUSE:
                raise EmbeddedError(f"Can't listen on {host} port {port}: {refused}.") from None
    raise EmbeddedError(
        f"Port {chosen or f'{USUAL_PORT} and the {TRIED_PORTS - 1} after it'} on {host} is in use "
        "by another program. Choose another: make up PORT=8765"
    )


def url(listener: socket.socket) -> str:
    """Return the address for a browser on this machine."""
    host, port = listener.getsockname()[:2]
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host  # noqa: S104
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"


class Probe:
    """One request that waits in the socket's queue until the web process takes it."""

    def __init__(self, listener: socket.socket) -> None:
        address = url(listener).removeprefix("http://").rstrip("/")
        host, port = address.rsplit(":", 1)
        self._connection = socket.create_connection((host.strip("[]"), int(port)), 5)
        self._connection.sendall(
            f"GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n".encode()
        )
        self._connection.setblocking(False)

    def answered(self) -> bool:
        """Say whether an answer came; whatever it is, the web process runs."""
        try:
            answer = self._connection.recv(64)
        except BlockingIOError:
            return False
        except OSError:
            answer = b""
        self._connection.close()
        return answer.startswith(b"HTTP/")


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Inherited by each connection: the server can't set it on a socket it was handed.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def _number(text: str) -> int:
    if text.isdecimal() and 0 < int(text) < 1 << 16:
        return int(text)
    raise EmbeddedError(f"PORT={text} is not a port number (1 to 65535).")
