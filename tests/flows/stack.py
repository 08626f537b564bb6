"""The real thing as processes: services, web, worker with beat, example bots."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from config.embedded import programs
from config.embedded.address import BACKLOG, Probe, url
from config.embedded.child import Command, spawn, stop
from config.embedded.services import services

PROJECT = Path(__file__).resolve().parents[2]
EXAMPLES = PROJECT / "bots_api" / "examples" / "python"
SDK = PROJECT / "bots_api" / "sdk"
HOST = "127.0.0.1"


class Stack:
    """A running Housuliiga on ports and data of its own."""

    def __init__(self, env: dict[str, str], folder: Path, host: str = HOST) -> None:
        self.env = env | {"EGRESS_ALLOW": "loopback", "ALLOWED_HOSTS": f"{HOST},{host}"}
        self.folder = folder
        self.listener = socket.create_server((host, 0), backlog=BACKLOG)
        self.address = url(self.listener).rstrip("/")
        self.worker: subprocess.Popen[bytes] | None = None
        self.children: list[tuple[subprocess.Popen[bytes], Command]] = []

    def start(self) -> None:
        """Migrate, then start web and worker; returns when the web process answers."""
        self.manage("migrate", "--verbosity", "0")
        self.run(programs.web(self.env, self.listener.fileno()))
        self.start_worker()
        probe = Probe(self.listener)
        wait_for(probe.answered, 60, "web does not answer")

    def run(self, command: Command) -> subprocess.Popen[bytes]:
        """Start a child that `stop` ends."""
        with (self.folder / f"{command.name}.log").open("ab") as output:
            child = spawn(command, output)
        self.children.append((child, command))
        return child

    def start_worker(self) -> None:
        """Start the worker with beat inside."""
        self.worker = self.run(programs.worker(self.env))

    def kill_worker(self) -> None:
        """SIGKILL the worker and its pool: nothing of it can clean up."""
        assert self.worker is not None
        os.killpg(self.worker.pid, signal.SIGKILL)
        self.worker.wait()

    def start_bot(self, file: str, port: int, secret: str) -> None:
        """Run an example bot."""
        env = self.env | {"PYTHONPATH": str(SDK), "HOUSUBOT_SECRET": secret}
        argv = [sys.executable, str(EXAMPLES / file), "--port", str(port)]
        self.run(Command(file.removesuffix(".py"), argv, env, PROJECT))

    def start_program(self, name: str, argv: Sequence[str], **env: str) -> None:
        """Run any other program beside it."""
        self.run(Command(name, argv, self.env | env, PROJECT))

    def start_pulling(self, file: str, token: str) -> None:
        """Run an example bot that connects to the service."""
        env = self.env | {"PYTHONPATH": str(SDK), "HOUSUBOT_TOKEN": token}
        argv = [sys.executable, str(EXAMPLES / file), "--pull", self.address]
        self.run(Command("pull_" + file.removesuffix(".py"), argv, env, PROJECT))

    def stop(self) -> None:
        """End every child, the last started first."""
        for child, command in reversed(self.children):
            stop(child, command.stages)
        self.listener.close()

    def manage(self, *arguments: str) -> str:
        """Run a management command; its output."""
        return self.python("manage.py", *arguments)

    def plan(self, verb: str, **given: Any) -> dict[str, Any]:
        """Run `tests.flows.plan` inside the stack's environment."""
        answer: dict[str, Any] = json.loads(
            self.python("-m", "tests.flows.plan", verb, given=json.dumps(given))
        )
        return answer

    def get(self, path: str, token: str = "") -> Any:
        """The JSON answer of a GET, public without a token."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        request = urllib.request.Request(self.address + path, headers=headers)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)

    def post(self, path: str, body: dict[str, Any], token: str = "") -> Any:
        """The JSON answer of a POST, by nobody without a token."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        headers["Content-Type"] = "application/json"
        request = urllib.request.Request(self.address + path, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            error.add_note(f"{body}: {error.read().decode()}")
            raise

    def log(self) -> str:
        """The end of every child's log, for a failing test."""
        logs = sorted(self.folder.glob("*.log"))
        return "\n".join(f"--- {log.name}\n{log.read_text()[-3000:]}" for log in logs)

    def python(self, *arguments: str, given: str = "") -> str:
        """Run Python inside the stack's environment; its output."""
        done = subprocess.run(
            [sys.executable, *arguments],
            env=self.env,
            cwd=PROJECT,
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout


@contextlib.contextmanager
def running(folder: Path, host: str = HOST) -> Iterator[Stack]:
    """A stack for the length of the block; its logs are shown when the block fails."""
    folder.mkdir()
    with services(folder / "state") as env:
        stack = Stack(env, folder, host)
        try:
            stack.start()
            yield stack
        except BaseException:
            sys.stderr.write(stack.log())
            raise
        finally:
            stack.stop()


def wait_for(what: Callable[[], object], seconds: float, failure: str) -> None:
    """Wait until `what()` is true; fails with `failure` after so many seconds."""
    give_up = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < give_up, failure
        time.sleep(0.1)
