"""PostgreSQL's data directory: made whole or not at all, of the right version, reachable.

Knows initdb; starts no server.
"""

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from config.embedded import keeping
from config.embedded.account import Account
from config.embedded.binaries import Postgres
from config.embedded.child import LINUX
from config.embedded.errors import EmbeddedError
from config.embedded.runtime import private_folder

NAME = "housuliiga"  # of the role and of the database
BUILTIN_LOCALE_SINCE = 17


def complete(
    data: Path,
    postgres: Postgres,
    account: Account | None,
    sockets: Path,
    password: str,
    *,
    durable: bool,
) -> None:
    """Make `data` if it isn't there, whole; raises `EmbeddedError` for another version's.

    `sockets` is a private folder of the server's account.
    """
    _set_aside_if_half_made(data)
    if not data.exists():
        _initialise(data, postgres, account, sockets, password, durable=durable)
    _refuse_other_version(data, postgres)


@contextlib.contextmanager
def named_for(account: Account | None, folder: Path) -> Iterator[tuple[str, tuple[int, ...]]]:
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


def environment() -> dict[str, str]:
    """Return what a server needs: nothing of the person's PG* settings, messages in English."""
    kept = {key: os.environ[key] for key in ("PATH", "TMPDIR", "TZDIR") if key in os.environ}
    return {**kept, "LC_ALL": "C"}


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
    with named_for(account, making) as (name, keep_fds):
        done = subprocess.run(
            [
                str(postgres.folder / "initdb"),
                *("-D", name, "-U", NAME, "--encoding=UTF8", *_locale(postgres)),
                *("--auth=scram-sha-256", f"--pwfile={password_file}", "--no-instructions"),
                *([] if durable else ["--no-sync"]),
            ],
            env=environment(),
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


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
