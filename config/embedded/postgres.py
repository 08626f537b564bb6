"""Our own PostgreSQL: a cluster in a folder, reached by a socket and a password only.

Owns making it whole, its settings and its URL. Knows nothing of Django or who uses it.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from signal import Signals

import psycopg

from config.embedded import binaries, data_directory, keeping
from config.embedded.account import Account, server_account
from config.embedded.binaries import Postgres
from config.embedded.child import Command, Stage
from config.embedded.data_directory import NAME
from config.embedded.errors import EmbeddedError
from config.embedded.runtime import private_folder

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
            env=data_directory.environment() | _ignore_stranger(self.data),
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
    data_directory.complete(data, postgres, account, sockets, password, durable=durable)
    with data_directory.named_for(account, data) as (name, keep_fds):
        yield Cluster(postgres, account, name, keep_fds, sockets, password, durable)


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


def _make_database(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [NAME])
    if known.fetchone() is None:
        connection.execute(f"CREATE DATABASE {NAME}")
