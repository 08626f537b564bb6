"""The environment: what is asked of the machine, and when nothing is to do."""

import subprocess
from pathlib import Path

import pytest

from config.embedded import install
from config.embedded.programs import PROJECT


def test_without_a_fitting_python_it_says_what_is_needed() -> None:
    asked = ["make", "--silent", "install", "PYTHON="]
    told = subprocess.run(asked, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert told.returncode != 0
    assert "needs Python 3.11 or newer" in told.stderr
    assert "make install PYTHON=/path/to/python3" in told.stderr


def test_a_stamp_fits_until_the_lock_or_the_folder_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, here, there = tmp_path / "requirements.lock", tmp_path / "here", tmp_path / "there"
    lock.write_text("django==5.2\n")
    monkeypatch.setitem(install.LOCKS, "run", lock)
    monkeypatch.setattr(install, "VENV", here)
    first = install.fingerprint("run")
    assert install.fingerprint("run") == first
    monkeypatch.setattr(install, "VENV", there)
    assert install.fingerprint("run") != first
    monkeypatch.setattr(install, "VENV", here)
    lock.write_text("django==5.3\n")
    assert install.fingerprint("run") != first
