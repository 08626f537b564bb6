"""The service as `make up` serves it, on services of its own, for programs that measure it."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from config.embedded import programs
from config.embedded.services import services

ROOT: Final = Path(__file__).parents[2]
PATIENCE_S: Final = 60.0


class Served(NamedTuple):
    """A running server and what its programs need to see the same rows."""

    port: int
    environment: Mapping[str, str]

    def asked(self, module: str, *arguments: str) -> Any:
        """What a program of ours prints as JSON, run beside the server."""
        return json.loads(_run(["-m", module, *arguments], self.environment))


@contextlib.contextmanager
def database(
    settings: str = "config.settings", *, durable: bool = True
) -> Iterator[dict[str, str]]:
    """PostgreSQL, broker and an empty schema; the environment that finds them."""
    with (
        tempfile.TemporaryDirectory(prefix="housuliiga-measured-") as folder,
        services(Path(folder), durable=durable) as given,
    ):
        (Path(folder) / "static").mkdir()
        # Requests are counted, and none is refused for its number.
        counted = {"DJANGO_SETTINGS_MODULE": settings, "DEBUG": "False", "RATE_FACTOR": "10000"}
        environment = {**given, **counted}
        _run(["manage.py", "migrate", "--run-syncdb", "--verbosity", "0"], environment)
        yield environment


@contextlib.contextmanager
def serving(settings: str = "config.settings", *, durable: bool = True) -> Iterator[Served]:
    """The web server of `config.embedded.programs`, on a socket of ours."""
    with (
        database(settings, durable=durable) as environment,
        socket.create_server(("127.0.0.1", 0)) as listener,
    ):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        os.set_inheritable(listener.fileno(), True)
        command = programs.web(environment, listener.fileno())
        process = subprocess.Popen(
            command.argv, env=dict(environment), cwd=ROOT, pass_fds=(listener.fileno(),)
        )
        try:
            port = listener.getsockname()[1]
            _wait_for(process, port)
            yield Served(port, environment)
        finally:
            process.terminate()
            process.wait()


def _run(argv: Sequence[str], environment: Mapping[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, *argv],
        env=dict(environment),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(argv)} failed")
    return done.stdout


def _wait_for(process: subprocess.Popen[bytes], port: int) -> None:
    """The socket takes connections at once; an answer means that it serves."""
    give_up = time.monotonic() + PATIENCE_S
    while time.monotonic() < give_up and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 5) as one:
            one.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            if one.recv(12):
                return
    raise RuntimeError("the server does not start")
