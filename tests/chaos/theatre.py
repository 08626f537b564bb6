"""A whole Housuliiga whose every part can be killed and started again, one by one.

PostgreSQL (durable), broker, web, a worker and any number of beats are processes of their own; the
tournament they play has house and driven tables, with bots that answer the same to the same.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import psycopg

from config.embedded import keeping, postgres, programs, valkey
from config.embedded.child import Command, spawn, stop
from config.embedded.runtime import runtime_folder
from tests.flows.stack import Stack

SECRET: Final = "5c" * 32
BOTS: Final = {"Kettu": "lowest_bot.py", "Karhu": "keeper_bot.py"}
PATIENCE_S: Final = 3600.0
# Nobody's clock runs out because this machine has much to do.
MOVE_MS: Final = 120_000

# All that has been stored of play: it grows while anybody plays.
_STORED: Final = """
    SELECT (SELECT coalesce(sum(ply), 0) FROM games_game)
        + (SELECT count(*) FROM games_gamerecord)
"""


@dataclass
class Part:
    """One process; `answers` says whether it serves."""

    command: Command
    answers: Callable[[], bool]
    process: subprocess.Popen[bytes] | None = None


class Theatre:
    """All parts by name; started and killed from the thread that made it."""

    def __init__(self, folder: Path, parts: dict[str, Part], env: Mapping[str, str]) -> None:
        self.folder = folder
        self.parts = parts
        # Parts that ended without being killed, and were started again.
        self.ended: list[str] = []
        self._down: set[str] = set()
        self.stack = Stack(dict(env), folder)

    def start(self, name: str) -> None:
        """Start a part, and again while a killed one before it still ends; returns when it
        serves."""
        part, give_up = self.parts[name], time.monotonic() + 60
        while time.monotonic() < give_up:
            with (self.folder / f"{name}.log").open("ab") as log:
                part.process = spawn(part.command, log)
            while part.process.poll() is None and time.monotonic() < give_up:
                if part.answers():
                    self._down.discard(name)
                    return
                time.sleep(0.05)
            time.sleep(0.2)
        raise RuntimeError(f"{name} does not start")

    def kill(self, name: str) -> float:
        """SIGKILL a part and all it has started; when that was."""
        self._down.add(name)
        process = self.parts[name].process
        assert process is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        at = time.monotonic()
        process.wait()
        return at

    def keep_up(self) -> None:
        """Start again what has ended by itself, as the supervisor of `make up` does and systemd:
        Celery gives a worker up that loses its broker in the wrong moment."""
        for name, part in self.parts.items():
            if name not in self._down and part.process and part.process.poll() is not None:
                self.ended.append(name)
                self.start(name)

    def close(self) -> None:
        """End everything, what serves others last."""
        self.stack.stop()
        for part in reversed(self.parts.values()):
            if part.process is not None:
                stop(part.process, part.command.stages)

    def look(self, *arguments: str) -> Any:
        """What `tests.chaos.whole` says, run in the theatre's environment."""
        return json.loads(self.stack.python("-m", "tests.chaos.whole", *arguments))

    @contextlib.contextmanager
    def database(self) -> Iterator[psycopg.Connection[Any]]:
        """A connection of our own."""
        url = self.stack.env["DATABASE_URL"]
        with psycopg.connect(url, autocommit=True, connect_timeout=2) as connection:
            yield connection


@contextlib.contextmanager
def theatre(beats: int = 1, processes: int = 2, queue: str = "celery") -> Iterator[Theatre]:
    """Everything up, in a folder that goes with it."""
    with (
        tempfile.TemporaryDirectory(prefix="housuliiga-chaos-") as name,
        keeping.only_one(Path(name)),
        runtime_folder(Path(name)) as runtime,
        postgres.cluster(Path(name), runtime, durable=True) as cluster,
    ):
        folder = Path(name)
        broker = valkey.broker(folder, runtime, durable=True)
        env = os.environ | {
            "DATABASE_URL": cluster.url,
            "CELERY_BROKER_URL": broker.url,
            "SECRET_KEY": keeping.secret(folder / "secret_key"),
            "STATE_DIR": name,
            "DEBUG": "False",
        }
        parts = {
            "database": Part(cluster.command(), cluster.answers),
            "broker": Part(broker.command(), broker.answers),
        }
        made = Theatre(folder, parts, env)
        try:
            _raise_curtain(made, beats, processes, queue)
            yield made
        finally:
            made.close()


def _raise_curtain(made: Theatre, beats: int, processes: int, queue: str) -> None:
    made.start("database")
    made.start("broker")
    (made.folder / "static").mkdir()
    made.stack.manage("migrate", "--verbosity", "0")
    web = programs.web(made.stack.env, made.stack.listener.fileno())
    made.parts["web"] = Part(web, partial(_answers, f"{made.stack.address}/healthz"))
    made.parts["worker"] = Part(_worker(made.stack.env, processes, queue), _at_once)
    for number in range(1, beats + 1):
        name = "beat" if number == 1 else f"beat{number}"
        made.parts[name] = Part(_beat(made.stack.env, name), _at_once)
    for name in list(made.parts)[2:]:
        made.start(name)


def _worker(env: Mapping[str, str], processes: int, queue: str) -> Command:
    """The product's worker without the beat inside, which is a part of its own here."""
    command = programs.worker(env)
    argv = [one for one in command.argv if one not in ("-B", "--scheduler")]
    argv.remove("celery.beat.Scheduler")
    argv[argv.index("--concurrency") + 1] = str(processes)
    return replace(command, argv=[*argv, "-Q", queue])


def _beat(env: Mapping[str, str], name: str) -> Command:
    command = programs.worker(env)
    head = list(command.argv[: command.argv.index("worker")])
    argv = [*head, "beat", "--scheduler", "celery.beat.Scheduler", "--pidfile", ""]
    return replace(command, name=name, argv=argv)


def _at_once() -> bool:
    return True


def _answers(url: str) -> bool:
    """Connections wait in the socket while nobody serves: then nothing comes in time."""
    with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=1) as answer:
        return bool(answer.status == 200)
    return False


def free_port() -> int:
    """A port that nobody has now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass(frozen=True)
class Cast:
    """Who plays: the organiser's token and club, the players of the remote bots."""

    token: str
    remote: list[int]


def cast(made: Theatre) -> Cast:
    """An organiser, and two bots that are called."""
    people = made.stack.plan("people")
    token, remote = people["token"], []
    for name, file in BOTS.items():
        port = free_port()
        wish = {"name": name, "url": f"http://127.0.0.1:{port}"}
        bot = made.stack.post("/api/v1/bots", wish, token)
        made.stack.start_bot(file, port, bot["signing_secret"])
        remote.append(bot["bot"]["player"]["id"])
    return Cast(token, remote)


def opened(made: Theatre, who: Cast, name: str, games: int) -> dict[str, Any]:
    """A tournament of so many games in five rounds of four tables, started."""
    settings = {"table_size": 4, "seating": "random", "rounds": 5}
    wish = {
        "club": "kulma",
        "name": name,
        "format": "rounds",
        "settings": {**settings, "deals_per_table": max(1, games // 20)},
        "secret": SECRET,
        "move_ms": MOVE_MS,
    }
    cup: dict[str, Any] = made.stack.post("/api/v1/competitions", wish, who.token)
    entries = f"/api/v1/competitions/{cup['id']}/entries"
    for player in [*who.remote, *["house:lowest"] * (16 - len(who.remote))]:
        made.stack.post(entries, {"player": player}, who.token)
    made.stack.post(f"/api/v1/competitions/{cup['id']}/start", {}, who.token)
    return cup


def is_over(made: Theatre, cup: Mapping[str, Any]) -> bool:
    """Whether it has ended; False while the database is away."""
    with contextlib.suppress(psycopg.Error), made.database() as connection:
        found = connection.execute(
            "SELECT state = 'finished' FROM league_competition WHERE id = %s", [cup["id"]]
        ).fetchone()
        return bool(found and found[0])
    return False


def stored(made: Theatre) -> int:
    """How much of play is stored; -1 while the database is away."""
    with contextlib.suppress(psycopg.Error), made.database() as connection:
        (found,) = connection.execute(_STORED).fetchone() or (0,)
        return int(found)
    return -1


def plays_on(made: Theatre, cup: Mapping[str, Any], before: int) -> bool:
    """Whether more is stored than `before`, or all of it is played."""
    return stored(made) > before or is_over(made, cup)


def wait_for(what: Callable[[], bool], seconds: float, failure: str) -> float:
    """Wait until it holds; how long that took. Raises `RuntimeError`."""
    began = time.monotonic()
    while not what():
        if time.monotonic() - began > seconds:
            raise RuntimeError(failure)
        time.sleep(0.1)
    return time.monotonic() - began


def settled(made: Theatre, cup: Mapping[str, Any]) -> dict[str, Any]:
    """What has come of a competition that is over, once every game of it was settled."""
    give_up = time.monotonic() + PATIENCE_S
    told: dict[str, Any] = made.look(cup["slug"])
    while told["orphaned"] and time.monotonic() < give_up:
        made.keep_up()
        time.sleep(1)
        told = made.look(cup["slug"])
    return told


def calm(made: Theatre, who: Cast, games: int) -> str:
    """Play it undisturbed; its fingerprint."""
    cup = opened(made, who, "Calm", games)
    wait_for(lambda: is_over(made, cup), PATIENCE_S, "the calm run does not end")
    return str(settled(made, cup)["fingerprint"])
