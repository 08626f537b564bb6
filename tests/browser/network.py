"""A network between a browser and the service that can be cut and comes back at its address."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit


class Network:
    """Passes bytes on; after `cut` nobody answers at `address`."""

    def __init__(self, web: str) -> None:
        parts = urlsplit(web)
        self._behind = (str(parts.hostname), int(parts.port or 80))
        self._open: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._port: int = self._listener.getsockname()[1]
        self.address = f"http://127.0.0.1:{self._port}"
        self._listen()

    def cut(self) -> None:
        """End what is open, and answer nothing more."""
        # A thread that waits in `accept` holds the socket until it is shut down.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()
        for one in list(self._open):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def restore(self) -> None:
        """Answer again."""
        self._listener = socket.create_server(("127.0.0.1", self._port))
        self._listen()

    def _listen(self) -> None:
        self._thread = threading.Thread(target=self._accept, args=(self._listener,), daemon=True)
        self._thread.start()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                near, _ = listener.accept()
                far = socket.create_connection(self._behind)
            except OSError:
                return
            self._open |= {near, far}
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while part := one.recv(65536):
                other.sendall(part)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        # The other direction has seen its end by now, or sees it with the next byte.
        self._open.discard(one)
        with contextlib.suppress(OSError):
            one.close()


@contextlib.contextmanager
def between(web: str) -> Iterator[Network]:
    """A network before this service."""
    network = Network(web)
    try:
        yield network
    finally:
        network.cut()
