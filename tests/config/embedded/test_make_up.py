"""`make up` as a person meets it: up, hurt, killed, up again, stopped."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.embedded.programs import PROJECT

RUNNING = "Housuliiga is running at "
# A machine may be busy with other tests; a person's own waits far less.
PATIENCE_S = 90.0


class Up:
    """One run of the supervisor."""

    def __init__(self, state_dir: Path, port: int) -> None:
        services = ("DATABASE_URL", "CELERY_BROKER_URL", "SECRET_KEY", "PUBLIC_URL", "HOST")
        kept = {key: value for key, value in os.environ.items() if key not in services}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "config.embedded"],
            env=kept | {"STATE_DIR": str(state_dir), "PORT": str(port)},
            cwd=PROJECT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.said: list[str] = []

    def hear(self, wanted: str) -> str:
        """Return the next line that holds `wanted`."""
        assert self.process.stdout
        for line in self.process.stdout:
            self.said.append(line)
            if wanted in line:
                return line
        raise AssertionError("it ended without saying so:\n" + "".join(self.said))


@contextlib.contextmanager
def up(state_dir: Path, port: int) -> Iterator[Up]:
    run = Up(state_dir, port)
    with run.process:
        try:
            yield run
        finally:
            run.process.kill()


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        number: int = free.getsockname()[1]
        return number


def descendants(pid: int) -> dict[int, str]:
    """Return the process ids below `pid`, each with its command line."""
    found: dict[int, str] = {}
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, children.read_text().split()):
            words = Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode()
            found |= {child: words} | descendants(child)
    return found


def living(pids: set[int]) -> set[int]:
    return {pid for pid in pids if Path(f"/proc/{pid}").exists()}


def all_end(pids: set[int]) -> bool:
    give_up = time.monotonic() + PATIENCE_S
    while living(pids) and time.monotonic() < give_up:
        time.sleep(0.05)
    return not living(pids)


def status(port: int) -> int:
    asked = f"http://127.0.0.1:{port}/healthz"
    with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:
        return int(answer.status)


def test_it_comes_up_survives_kills_and_stops_when_asked(tmp_path: Path, port: int) -> None:
    with up(tmp_path, port) as run:
        assert run.hear(RUNNING).strip().endswith(f"http://127.0.0.1:{port}/")
        assert status(port) == 200

        family = descendants(run.process.pid)
        (web,) = [pid for pid, words in family.items() if "uvicorn" in words]
        os.kill(web, signal.SIGKILL)
        # Not refused: it waits in the supervisor's socket until the new process is there.
        assert status(port) == 200

        second = subprocess.run(
            [sys.executable, "-m", "config.embedded"],
            env=os.environ | {"STATE_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert second.returncode == 1
        assert f"already running on {tmp_path} (process {run.process.pid})" in second.stdout

        family |= descendants(run.process.pid)
        run.process.kill()
        assert all_end(set(family))

    with up(tmp_path, port) as run:
        run.hear(RUNNING)
        family = descendants(run.process.pid)
        run.process.terminate()
        run.hear("stopped")
        assert run.process.wait() == 0
        # The worker's own children were signalled; the kernel may take a moment to end them.
        assert all_end(set(family))
    assert not (tmp_path / "running.json").exists()
