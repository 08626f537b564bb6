"""`make up`: the order in which everything starts and stops, and what the person is told."""

import contextlib
import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from config.embedded import address, extras, keeping, postgres, programs, valkey
from config.embedded.console import Console
from config.embedded.errors import EmbeddedError
from config.embedded.fleet import Fleet, StopAsked
from config.embedded.kept import CrashLoopError
from config.embedded.runtime import runtime_folder

SERVICE_PATIENCE_S = 60.0
RUNNING_NOTE = "running.json"
US = "housu"


def main() -> int:
    """Run until asked to stop; return the exit code."""
    console = Console()
    state_dir = Path(os.environ.get("STATE_DIR") or programs.PROJECT / "var").resolve()
    try:
        state_dir.mkdir(parents=True, exist_ok=True)
        with keeping.only_one(state_dir), contextlib.closing(address.listen()) as listener:
            _run(console, state_dir, listener)
    except (StopAsked, KeyboardInterrupt):
        console.say(US, "stopped")
    except EmbeddedError as problem:
        console.plain(f"\n{problem}")
        return 1
    except OSError as problem:
        console.plain(f"\nHousuliiga can't run on {state_dir}: {problem}")
        return 1
    return 0


def _run(console: Console, state_dir: Path, listener: socket.socket) -> None:
    """Start all in order and tend it; raises `StopAsked` when all has ended in order."""
    begun = time.monotonic()
    console.say(US, f"starting; the data is in {state_dir}")
    with (
        _services(console, state_dir) as (fleet, urls),
        _environment(state_dir, address.url(listener), urls) as environment,
    ):
        fleet.run(programs.prepare(environment))
        fleet.start(programs.beside(one, environment) for one in extras.processes(state_dir))
        web = programs.web(environment, listener.fileno())
        fleet.start([web, programs.worker(environment)])
        fleet.tend(address.Probe(listener).answered)
        console.say(US, f"up after {time.monotonic() - begun:.1f} s; Ctrl-C stops it")
        console.plain(f"Housuliiga is running at {address.url(listener)}")
        try:
            fleet.tend(lambda: False)
        finally:
            console.say(US, "stopping; a second Ctrl-C kills")


@contextlib.contextmanager
def _services(console: Console, state_dir: Path) -> Iterator[tuple[Fleet, dict[str, str]]]:
    """Run the services that the environment doesn't name; yield their URLs and who tends them."""
    own = {name: not os.environ.get(name) for name in ("DATABASE_URL", "CELERY_BROKER_URL")}
    urls: dict[str, str] = {}
    with contextlib.ExitStack() as stack:
        runtime = stack.enter_context(runtime_folder(state_dir))
        cluster = own["DATABASE_URL"] and stack.enter_context(
            postgres.cluster(state_dir, runtime, durable=True)
        )
        fleet = stack.enter_context(Fleet(console))
        if cluster:
            fleet.start([cluster.command()])
            _wait(fleet, cluster.answers, "PostgreSQL")
            urls["DATABASE_URL"] = cluster.url
        if own["CELERY_BROKER_URL"]:
            broker = valkey.broker(state_dir, runtime, durable=True)
            _start_broker(console, fleet, broker)
            urls["CELERY_BROKER_URL"] = broker.url
        yield fleet, urls


def _start_broker(console: Console, fleet: Fleet, broker: valkey.Broker) -> None:
    group = fleet.start([broker.command()])
    try:
        _wait(fleet, broker.answers, "Valkey")
    except CrashLoopError as crash:
        if crash.kept not in group:
            raise
        fleet.dismiss(group)
        console.say(US, f"Valkey can't read its data; moved to {broker.set_data_aside()}")
        fleet.start([broker.command()])
        _wait(fleet, broker.answers, "Valkey")


def _wait(fleet: Fleet, answers: Callable[[], bool], name: str) -> None:
    if not fleet.tend(answers, SERVICE_PATIENCE_S):
        raise EmbeddedError(f"{name} runs but doesn't answer within {SERVICE_PATIENCE_S:.0f} s.")


@contextlib.contextmanager
def _environment(state_dir: Path, url: str, urls: dict[str, str]) -> Iterator[dict[str, str]]:
    """Yield the environment of the product's processes; commands beside them find it in a note."""
    given = {
        "SECRET_KEY": os.environ.get("SECRET_KEY") or keeping.secret(state_dir / "secret_key"),
        "STATE_DIR": str(state_dir),
        "PUBLIC_URL": os.environ.get("PUBLIC_URL") or url.rstrip("/"),
        # The demo's bots live on this machine.
        "EGRESS_ALLOW": os.environ.get("EGRESS_ALLOW", "loopback"),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        **urls,
    }
    note = state_dir / RUNNING_NOTE
    keeping.write_private(note, json.dumps(given))
    try:
        yield os.environ | given | {"PYTHONUNBUFFERED": "1"}
    finally:
        note.unlink(missing_ok=True)
