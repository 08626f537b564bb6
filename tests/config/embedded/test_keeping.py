"""Secrets and the lock of a state directory."""

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from config.embedded import keeping
from config.embedded.errors import EmbeddedError


def test_a_secret_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    made = keeping.secret(tmp_path / "secret_key")
    assert len(made) == 64
    assert keeping.secret(tmp_path / "secret_key") == made
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600


def test_an_empty_secret_left_by_a_full_disk_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "secret_key").touch()
    assert len(keeping.secret(tmp_path / "secret_key")) == 64


def test_a_lock_file_left_behind_locks_nothing(tmp_path: Path) -> None:
    (tmp_path / "lock").write_text("1\n")
    assert not keeping.held(tmp_path)
    with keeping.only_one(tmp_path):
        assert keeping.held(tmp_path)
    assert not keeping.held(tmp_path)


def test_a_second_holder_is_told_who_the_first_is(tmp_path: Path) -> None:
    taking = (
        "import sys, pathlib\n"
        "from config.embedded import keeping\n"
        "with keeping.only_one(pathlib.Path(sys.argv[1])): print('held', flush=True); input()\n"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", taking, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with holder:
        assert holder.stdin and holder.stdout
        assert holder.stdout.readline() == b"held\n"
        with (
            pytest.raises(EmbeddedError, match=rf"already running .*process {holder.pid}\)"),
            keeping.only_one(tmp_path),
        ):
            pass
        holder.kill()


def test_a_half_written_file_never_takes_the_place_of_a_whole_one(tmp_path: Path) -> None:
    keeping.write_private(tmp_path / "note", "first")
    (tmp_path / "note.new").write_text("ha")
    assert (tmp_path / "note").read_text() == "first"
    keeping.write_private(tmp_path / "note", "second")
    assert (tmp_path / "note").read_text() == "second"
    assert list(tmp_path.iterdir()) == [tmp_path / "note"]
