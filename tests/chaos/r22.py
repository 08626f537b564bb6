"""R22: whatever is done to a competition in whatever order, it stays sound and ends."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import Final

from tests.benchmarks.serving import ROOT
from tests.chaos import Proof
from tests.chaos.theatre import PATIENCE_S

GOAL = (
    "nobody seated twice, at most one bye first, ledger = standings = tallies, finished stays "
    "finished, no stuck round"
)
TESTS: Final = ("tests/league/test_any_order.py", "tests/league/test_any_order_of_bots.py")


def prove(port: int, examples: int = 60) -> Proof:
    """The quick form with so many examples for each format; `port` is not asked."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *TESTS, "-q", "-p", "no:cacheprovider"],
        cwd=ROOT,
        env={**os.environ, "EXAMPLES": str(examples)},
        capture_output=True,
        text=True,
        check=False,
        timeout=4 * PATIENCE_S,
    )
    passed = re.search(r"(\d+) passed", done.stdout)
    formats = int(passed[1]) // len(TESTS) if passed else 0
    figure = f"{formats} formats, {examples} competitions of people and as many of bots of each in "
    figure += "any order: "
    figure += "sound, and all end" if done.returncode == 0 else done.stdout[-500:]
    return Proof(figure, GOAL, done.returncode == 0 and formats > 0)
