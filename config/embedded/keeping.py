"""Small files that hold a secret or a lock in the state directory."""

import contextlib
import fcntl
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from config.embedded.errors import EmbeddedError


def secret(path: Path) -> str:
    """Return the secret kept in `path` (mode 0600), making one of 256 bits the first time."""
    with contextlib.suppress(FileNotFoundError):
        kept = path.read_text().strip()
        if kept:
            return kept
    made = secrets.token_hex(32)
    write_private(path, made + "\n")
    return made


def write_private(path: Path, text: str) -> None:
    """Write a file that only we can read; after a crash it is whole or as it was."""
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def held(state_dir: Path) -> bool:
    """Say whether somebody holds the state directory's lock."""
    try:
        with (state_dir / "lock").open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


@contextlib.contextmanager
def only_one(state_dir: Path) -> Iterator[None]:
    """Hold the state directory's lock; raises `EmbeddedError` naming who else holds it.

    The lock is the kernel's, not the file: a file left behind by a killed run locks nothing, so it
    is never deleted.
    """
    path = state_dir / "lock"
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise EmbeddedError(
                f"Housuliiga is already running on {state_dir} "
                f"(process {file.read().strip() or 'unknown'}). "
                "Stop that one first, or set STATE_DIR to another folder."
            ) from None
        file.seek(0)
        file.truncate()
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield
