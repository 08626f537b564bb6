"""Our own Valkey as Celery's broker, reached by a socket only. It wakes; it holds no truth."""

import os
import socket
import time
from dataclasses import dataclass
from pathlib import Path

from config.embedded import binaries
from config.embedded.child import Command
from config.embedded.runtime import private_folder


@dataclass(frozen=True)
class Broker:
    """A broker's folder, program and socket."""

    program: Path
    data: Path
    socket: Path
    durable: bool

    @property
    def url(self) -> str:
        """The broker's URL for Celery."""
        return f"redis+socket://{self.socket}"

    def command(self) -> Command:
        """Return the server as a child that works in its data folder."""
        return Command(
            name="valkey",
            argv=[
                str(self.program),
                *("--port", "0", "--unixsocket", str(self.socket), "--unixsocketperm", "700"),
                *("--daemonize", "no", "--loglevel", "warning", "--save", ""),
                *("--appendonly", "yes" if self.durable else "no"),
            ],
            env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
            cwd=self.data,
        )

    def answers(self) -> bool:
        """Say whether the server answers a PING (it refuses while it loads its file)."""
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(2)
                connection.connect(str(self.socket))
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False

    def set_data_aside(self) -> Path:
        """Move data the server can't read out of the way, so that it starts empty.

        Nothing is lost by it: what is due stands in the database, where the sweep finds it.
        """
        aside = self.data.with_name(f"{self.data.name}.unreadable-{time.time_ns()}")
        self.data.rename(aside)
        self.data.mkdir()
        return aside


def broker(state_dir: Path, runtime: Path, *, durable: bool) -> Broker:
    """Make or take up the broker's folder `state_dir/valkey`.

    The socket's folder is of this run alone: an old server that ends late removes only its own.
    """
    data = state_dir / "valkey"
    data.mkdir(exist_ok=True)
    sockets = private_folder(runtime / "valkey", None)
    return Broker(binaries.find_valkey(), data, sockets / "broker.sock", durable)
