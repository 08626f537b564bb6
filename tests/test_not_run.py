"""A skip is not a pass: only what is on the list may say NOT RUN."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import not_run

TESTS = """
import pytest
from tests.not_run import not_run

def test_listed(): not_run({listed!r}, "no tool")
def test_unlisted(): not_run("perpetual motion", "no tool")
def test_skipped(): pytest.skip("not today")
@pytest.mark.skip
def test_marked(): assert False
@pytest.mark.xfail(strict=True)
def test_expected(): assert False
"""


def test_a_check_on_the_list_is_not_run_with_its_reason() -> None:
    with pytest.raises(pytest.skip.Exception, match="NOT RUN: one-way firewall: no tool"):
        not_run.not_run("one-way firewall", "no tool")


def test_any_other_check_fails() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"perpetual motion.*not in not_run.txt"):
        not_run.not_run("perpetual motion", "no tool")


def test_the_list_is_short() -> None:
    assert 0 < len(not_run.allowed()) <= 5


def test_every_other_skip_is_a_failure_and_the_end_tells_what_was_not_run(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        "from tests.not_run import pytest_runtest_makereport, pytest_terminal_summary\n"
    )
    listed = sorted(not_run.allowed())[0]
    (tmp_path / "test_them.py").write_text(TESTS.format(listed=listed))
    argv = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", str(tmp_path)]
    argv += ["--rootdir", str(tmp_path), "-p", "no:django", "-p", "no:randomly"]
    project = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, *argv], cwd=project, capture_output=True, text=True, check=False
    )
    assert "2 failed, 1 skipped, 1 xfailed, 1 error" in done.stdout, done.stdout + done.stderr
    assert f"NOT RUN: {listed}: no tool" in done.stdout
