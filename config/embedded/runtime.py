"""The short-lived folder of one run: sockets, and copied programs. Owns making and removing it."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from config.embedded.account import Account
from config.embedded.keeping import write_private

PREFIX = "housuliiga-"
# A socket's path has at most 107 bytes (103 on macOS); ours add 40 to this.
LONGEST_PARENT = 60


@contextlib.contextmanager
def runtime_folder(state_dir: Path) -> Iterator[Path]:
    """Make a folder with a short path for this run, and remove it after.

    The project's own path may be too deep for sockets. What a killed run left is known from the
    state directory and removed first; the caller holds its lock.
    """
    note = state_dir / "runtime"
    _remove_left_over(note)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=_short_parent()))
    write_private(note, f"{folder}\n")
    folder.chmod(0o711)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        note.unlink(missing_ok=True)


def private_folder(path: Path, owner: Account | None) -> Path:
    """Make a 0700 folder that belongs to `owner`, or to us."""
    path.mkdir(mode=0o700)
    if owner:
        os.chown(path, owner.uid, owner.gid)
    return path


def _short_parent() -> str:
    usual = tempfile.gettempdir()
    return usual if len(os.fsencode(usual)) <= LONGEST_PARENT else "/tmp"  # noqa: S108


def _remove_left_over(note: Path) -> None:
    if not note.exists():
        return
    folder = Path(note.read_text().strip())
    if folder.name.startswith(PREFIX) and folder.is_dir() and folder.stat().st_uid == os.geteuid():
        shutil.rmtree(folder, ignore_errors=True)
