"""PostgreSQL and Valkey for the length of a `with`: what tests and one-off commands run on."""

import contextlib
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from config.embedded import keeping, postgres, valkey
from config.embedded.child import Command, spawn, stop
from config.embedded.errors import EmbeddedError
from config.embedded.runtime import runtime_folder

START_PATIENCE_S = 30.0


@contextlib.contextmanager
def services(state_dir: Path, *, durable: bool = False) -> Iterator[dict[str, str]]:
    """Run a PostgreSQL and a broker with their data in `state_dir`, which is made if need be.

    Yields a whole environment for child processes: ours with `DATABASE_URL`, `CELERY_BROKER_URL`,
    `SECRET_KEY` and `STATE_DIR` of these services. Without `durable` a crash of the machine may
    lose data. Raises `EmbeddedError`; blocks until both answer.
    """
    state_dir = state_dir.resolve()
    state_dir.mkdir(parents=True, exist_ok=True)
    with (
        keeping.only_one(state_dir),
        runtime_folder(state_dir) as runtime,
        postgres.cluster(state_dir, runtime, durable=durable) as cluster,
    ):
        broker = valkey.broker(state_dir, runtime, durable=durable)
        with (
            _running(cluster.command(), cluster.answers, state_dir),
            _running(broker.command(), broker.answers, state_dir),
        ):
            yield os.environ | {
                "DATABASE_URL": cluster.url,
                "CELERY_BROKER_URL": broker.url,
                "SECRET_KEY": keeping.secret(state_dir / "secret_key"),
                "STATE_DIR": str(state_dir),
            }


@contextlib.contextmanager
def _running(command: Command, answers: Callable[[], bool], state_dir: Path) -> Iterator[None]:
    """Run a server; start it again when it refuses while a killed predecessor still ends."""
    log = state_dir / f"{command.name}.log"
    give_up = time.monotonic() + START_PATIENCE_S
    while time.monotonic() < give_up:
        with log.open("ab") as output:
            process = spawn(command, output.fileno())
        try:
            if _came_up(process, answers, give_up):
                yield
                return
        finally:
            stop(process, command.stages)
        time.sleep(0.3)
    said = "\n".join(log.read_text(errors="replace").splitlines()[-15:])
    raise EmbeddedError(f"{command.name} does not start:\n{said}")


def _came_up(process: subprocess.Popen[bytes], answers: Callable[[], bool], give_up: float) -> bool:
    while process.poll() is None and time.monotonic() < give_up:
        if answers():
            return True
        time.sleep(0.02)
    return False
