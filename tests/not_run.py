"""A check whose tool is missing says NOT RUN, with the reason; nothing else is skipped.

Only the checks in not_run.txt may say so. Any other skip, and any other check that can't be run,
fails: a skip is not a pass.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any, Final, NoReturn

import pytest

ALLOWED: Final = Path(__file__).with_suffix(".txt")
SAYS: Final = "NOT RUN: "


def not_run(check: str, reason: str) -> NoReturn:
    """End the test that is running: this check can't be had on this machine."""
    if check not in allowed():
        pytest.fail(f"{SAYS}{check}: {reason} (and it is not in {ALLOWED.name})", pytrace=False)
    pytest.skip(f"{SAYS}{check}: {reason}")


def allowed() -> set[str]:
    """The checks that may be missing."""
    lines = (line.partition("#")[0].strip() for line in ALLOWED.read_text().splitlines())
    return {line for line in lines if line}


def is_other_skip(report: pytest.TestReport) -> bool:
    """Whether a test was skipped by anything but `not_run`."""
    return report.skipped and SAYS not in str(report.longrepr) and not hasattr(report, "wasxfail")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Generator[None, Any, Any]:
    """Make any other skip a failure."""
    report = yield
    if is_other_skip(report):
        report.outcome = "failed"
        report.longrepr = f"a skip is not a pass: {report.longrepr}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say at the end what was not run."""
    for report in terminalreporter.stats.get("skipped", []):
        terminalreporter.write_line(str(report.longrepr[2]).removeprefix("Skipped: "))
