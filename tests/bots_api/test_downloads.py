"""The files for authors: all there, typed, with checksums that hold."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client

from bots_api.downloads import EXAMPLES, FILES
from games.arena.starters import STARTERS

FOLDER = Path(__file__).parents[2] / "bots_api"


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_file_is_served_with_its_checksum_and_a_tag(name: str) -> None:
    client = Client()
    answer = client.get(f"/sdk/{name}")
    digest = hashlib.sha256(answer.content).hexdigest()
    assert answer.status_code == 200
    line = client.get(f"/sdk/{name}.sha256").content.decode()
    assert line == f"{digest}  {Path(name).name}\n"
    assert f"{digest}  {name}\n" in client.get("/sdk/SHA256SUMS").content.decode()
    again = client.get(f"/sdk/{name}", headers={"if-none-match": answer["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize("name", ["", "../settings.py", "housubot.pyc", "examples", ".sha256"])
def test_nothing_else_is_served(name: str) -> None:
    assert Client().get(f"/sdk/{name}").status_code == 404


def test_no_example_is_forgotten() -> None:
    there = (file for file in (FOLDER / "examples").rglob("*") if "__pycache__" not in file.parts)
    names = {file.relative_to(FOLDER / "examples").as_posix() for file in there if file.is_file()}
    assert names == set(EXAMPLES)
    served = {f"bots_api/{name}" for name in FILES} | {"bots_api/sdk/housubot.py"}
    assert {path for one in STARTERS.values() for path in one.files.values()} <= served


def test_the_archive_that_is_served_runs(tmp_path: Path) -> None:
    file = tmp_path / "housu.pyz"
    file.write_bytes(Client().get("/sdk/housu.pyz").content)
    line = [sys.executable, "-I", "-S", str(file), "arena", "house:lowest", "--games", "4"]
    played = subprocess.run(line, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert played.returncode == 0, played.stderr
