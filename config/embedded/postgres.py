"""Our own PostgreSQL: a cluster in a folder, reached by a socket and a password only.

Owns making it whole, its settings and its URL. Knows nothing of Django or who uses it.
"""

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from signal import Signals

import psycopg

from config.embedded import binaries, keeping
from config.embedded.account import Account, server_account
from config.embedded.binaries import Postgres
from config.embedded.child import LINUX, Command, Stage
from config.embedded.errors import EmbeddedError
from config.embedded.runtime import private_folder

NAME = "housuliiga"  # of the role and of the database
BUILTIN_LOCALE_SINCE = 17
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "",
    "log_checkpoints": "off",
    # Statements and the details of errors may hold tokens: neither is ever logged.
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
}
THROW_AWAY = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}
KEY_IS_LOST = (
    "The database doesn't take the password kept in the state directory (postgres.password). "
    "Put that file back, or move it and the folder 'postgres' beside it away to start with "
    "empty data."
)


@dataclass(frozen=True)
class Cluster:
    """A data directory that is complete, and how to run a server on it.

    `data` is the folder as the server's account names it, through an open descriptor if need be.
    """

    postgres: Postgres
    account: Account | None
    data: str
    keep_fds: tuple[int, ...]
    sockets: Path
    password: str
    durable: bool

    @property
    def url(self) -> str:
        """The database's URL in the form that django-environ and psycopg both read."""
        return f"postgres://{NAME}:{self.password}@/{NAME}?host={self.sockets}"

    def command(self) -> Command:
        """Return the server as a child: fast shutdown first, then the immediate one."""
        settings = {**SETTINGS, **({} if self.durable else THROW_AWAY)}
        settings["unix_socket_directories"] = str(self.sockets)
        return Command(
            name="postgres",
            argv=[
                str(self.postgres.folder / "postgres"),
                *("-D", self.data),
                *(part for key, value in settings.items() for part in ("-c", f"{key}={value}")),
            ],
            env=_environment() | _ignore_stranger(self.data),
            cwd=Path("/"),
            account=self.account,
            keep_fds=self.keep_fds,
            stages=(Stage(Signals.SIGINT, 8.0), Stage(Signals.SIGQUIT, 3.0)),
            # Immediate shutdown takes the backends along, so the next start needn't wait for them.
            death_signal=Signals.SIGQUIT,
        )

    def answers(self) -> bool:
        """Say whether the server takes connections; the first time, make the database."""
        try:
            with psycopg.connect(
                host=str(self.sockets),
                user=NAME,
                password=self.password,
                dbname="postgres",
                autocommit=True,
                connect_timeout=5,
            ) as connection:
                _make_database(connection)
        except psycopg.OperationalError as refused:
            # A refused connection carries no error code, and the server speaks English to us.
            if "password authentication failed" in str(refused):
                raise EmbeddedError(KEY_IS_LOST) from None
            return False
        return True


@contextlib.contextmanager
def cluster(state_dir: Path, runtime: Path, *, durable: bool) -> Iterator[Cluster]:
    """Make or take up the data directory `state_dir/postgres`; the caller holds the lock.

    Raises `EmbeddedError` for the data of another major version.
    """
    account = server_account()
    postgres = binaries.find_postgres()
    if account:
        postgres = binaries.open_to(account, postgres, runtime)
    sockets = private_folder(runtime / "postgres", account)
    password = keeping.secret(state_dir / "postgres.password")
    data = state_dir / "postgres"
    _set_aside_if_half_made(data)
    if not data.exists():
        _initialise(data, postgres, account, sockets, password, durable=durable)
    _refuse_other_version(data, postgres)
    with _named_for(account, data) as (name, keep_fds):
        yield Cluster(postgres, account, name, keep_fds, sockets, password, durable)


def _initialise(
    data: Path,
    postgres: Postgres,
    account: Account | None,
    sockets: Path,
    password: str,
    *,
    durable: bool,
) -> None:
    """Run initdb under another name and rename when all of it is on the disk."""
    making = data.with_name(data.name + ".making")
    shutil.rmtree(making, ignore_errors=True)
    private_folder(making, account)
    password_file = sockets / "initdb.password"
    keeping.write_private(password_file, password)
    if account:
        os.chown(password_file, account.uid, account.gid)
    with _named_for(account, making) as (name, keep_fds):
        done = subprocess.run(
            [
                str(postgres.folder / "initdb"),
                *("-D", name, "-U", NAME, "--encoding=UTF8", *_locale(postgres)),
                *("--auth=scram-sha-256", f"--pwfile={password_file}", "--no-instructions"),
                *([] if durable else ["--no-sync"]),
            ],
            env=_environment(),
            cwd="/",
            user=account.uid if account else None,
            group=account.gid if account else None,
            extra_groups=[] if account else None,
            pass_fds=keep_fds,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    password_file.unlink()
    if done.returncode:
        raise EmbeddedError(f"PostgreSQL's initdb failed:\n{done.stdout.strip()}")
    making.rename(data)
    _sync(data.parent)


def _locale(postgres: Postgres) -> list[str]:
    """Return a locale that needs neither ICU nor the system's, the same on every machine."""
    if postgres.major >= BUILTIN_LOCALE_SINCE:
        return ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
    return ["--locale=C"]


def _set_aside_if_half_made(data: Path) -> None:
    """Move a folder without a control file out of the way: no server ever ran on it."""
    if data.exists() and not (data / "global" / "pg_control").exists():
        data.rename(data.with_name(f"{data.name}.half-made-{time.time_ns()}"))


def _refuse_other_version(data: Path, postgres: Postgres) -> None:
    made_by = (data / "PG_VERSION").read_text().strip()
    if made_by != str(postgres.major):
        raise EmbeddedError(
            f"The data in {data} was made by PostgreSQL {made_by}; the one here "
            f"({postgres.folder}) is {postgres.major}. Set POSTGRES_BIN to the programs of "
            f"PostgreSQL {made_by}, or move the folder away to start with empty data."
        )


@contextlib.contextmanager
def _named_for(account: Account | None, folder: Path) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Name `folder` so that `account` reaches it though a folder above may be closed to it.

    Root opens it, and the descriptor's own path leads straight there: nobody's home is opened, and
    the data stays where the person looks for it.
    """
    if account is None or not LINUX:
        yield str(folder), ()
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{descriptor}", (descriptor,)
    finally:
        os.close(descriptor)


def _ignore_stranger(data: str) -> dict[str, str]:
    """Tell the server when the process id in a stale lock file now belongs to something else.

    After a restart of the machine an unrelated process may have it, and PostgreSQL would refuse
    for ever. It skips its grandparent's id, which pg_ctl passes it this way; its check of shared
    memory still finds a server that really lives. We hold the state directory's lock.
    """
    with contextlib.suppress(OSError, ValueError, IndexError):
        pid = int((Path(data) / "postmaster.pid").read_text().splitlines()[0])
        if Path(f"/proc/{pid}/comm").read_text().strip() != "postgres":
            return {"PG_GRANDPARENT_PID": str(pid)}
    return {}


def _environment() -> dict[str, str]:
    """Return what a server needs: nothing of the person's PG* settings, messages in English."""
    kept = {key: os.environ[key] for key in ("PATH", "TMPDIR", "TZDIR") if key in os.environ}
    return {**kept, "LC_ALL": "C"}


def _make_database(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [NAME])
    if known.fetchone() is None:
        connection.execute(f"CREATE DATABASE {NAME}")


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
