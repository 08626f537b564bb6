"""`make fuzz`: tens of thousands of random records; exit status 1 if one of them differs."""

import argparse
import sys
import time
from pathlib import Path

from tests.fuzz.run import run
from tests.fuzz.tally import Tally, write_row


def main() -> int:
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--findings", type=Path, default=Path("var/fuzz"))
    parser.add_argument("--no-report", action="store_true", help="leave docs/reports alone")
    arguments = parser.parse_args()
    tally, begun = Tally(), time.monotonic()
    for tally, finding in run(arguments.seed, arguments.records, arguments.findings):
        if finding:
            say(finding)
        if tally.records % 1000 == 0:
            say(f"{time.monotonic() - begun:5.0f} s  {tally.figure()}")
    for line in tally.details():
        say(line)
    say(f"seed {arguments.seed}: {tally.figure()}")
    if not arguments.no_report:
        write_row(tally, arguments.seed)
    return 1 if tally.differences or not tally.records else 0


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


sys.exit(main())
