"""A host without a network but for one door that opens outward; an ordinary user can have it.

A network namespace of its own holds nothing but a loopback. A socket that listens inside is handed
out to this process, which joins what comes to it to one address outside. Nothing leads in.
"""

from __future__ import annotations

import contextlib
import fcntl
import shutil
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from tests.flows.firewall import NoFirewallError
from tests.flows.stack import PROJECT

SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1


@dataclass(frozen=True)
class Enclosed:
    """The host behind the door; `address` is what it finds there."""

    pid: int
    door: socket.socket

    @property
    def address(self) -> str:
        """Where the door is, seen from inside."""
        host, port = self.door.getsockname()
        return f"http://{host}:{port}"

    def command(self, *argv: str) -> list[str]:
        """The command line that runs `argv` there."""
        enter = ["nsenter", "--preserve-credentials", "-U", "-n", "-t", str(self.pid), "--"]
        return [*enter, *argv]

    def lead_to(self, host: str, port: int) -> None:
        """From now on, who goes through the door comes to this address."""
        threading.Thread(target=self._serve, args=((host, port),), daemon=True).start()

    def _serve(self, there: tuple[str, int]) -> None:
        with contextlib.suppress(OSError):  # the door is closed
            while True:
                inner, _ = self.door.accept()
                outer = socket.create_connection(there)
                for one, other in ((inner, outer), (outer, inner)):
                    threading.Thread(target=_pump, args=(one, other), daemon=True).start()


@contextmanager
def behind_door() -> Iterator[Enclosed]:
    """Such a host for the length of the block; raises `NoFirewallError`."""
    if missing := [tool for tool in ("unshare", "nsenter") if shutil.which(tool) is None]:
        raise NoFirewallError(f"no {' and no '.join(missing)} here")
    with ExitStack() as stack:
        ours, theirs = socket.socketpair()
        stack.enter_context(ours)
        argv = ["unshare", "-Urn", sys.executable, "-m", "tests.flows.door", str(theirs.fileno())]
        with theirs:
            inside = subprocess.Popen(
                argv, cwd=PROJECT, pass_fds=[theirs.fileno()], stderr=subprocess.PIPE, text=True
            )
        stack.callback(_end, inside, ours)
        _, [door, *_], _, _ = socket.recv_fds(ours, 1, 1) if _comes(ours) else (b"", [-1], 0, None)
        if door < 0:
            _, said = inside.communicate()
            raise NoFirewallError(f"user namespaces: {said.strip()}")
        opened = stack.enter_context(socket.socket(fileno=door))
        stack.callback(opened.shutdown, socket.SHUT_RDWR)  # who waits at it wakes
        yield Enclosed(inside.pid, opened)


def _comes(ours: socket.socket) -> bool:
    return bool(ours.recv(1, socket.MSG_PEEK))


def _end(inside: subprocess.Popen[str], ours: socket.socket) -> None:
    ours.shutdown(socket.SHUT_RDWR)
    inside.communicate(timeout=20)


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    for one in (source, sink):
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
        one.close()


def _be_inside(fd: int) -> None:
    """In the namespace: set the loopback up, hand the door out, stay until nobody wants it."""
    name = struct.pack("16sH14x", b"lo", 0)
    with socket.socket() as control:
        flags = struct.unpack("16sH14x", fcntl.ioctl(control, SIOCGIFFLAGS, name))[1]
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | IFF_UP))
    with socket.socket(fileno=fd) as out, socket.create_server(("127.0.0.1", 0)) as door:
        socket.send_fds(out, [b"!"], [door.fileno()])
        out.recv(1)


if __name__ == "__main__":
    _be_inside(int(sys.argv[1]))
