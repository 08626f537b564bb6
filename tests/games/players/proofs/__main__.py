"""`python -m tests.games.players.proofs [samples bluffing strength ...] [--scale 0.1]`."""

import argparse
import sys

from tests.games.players.proofs import contests, samples
from tests.games.players.proofs.report import keep

PROOFS = {
    "samples": samples.samples,
    "bluffing": contests.bluffing,
    "strength": contests.strength,
    "duels": contests.duels,
    "endings": contests.endings,
}


def main() -> int:
    """Run the proofs named, all without a name; exit 1 if anything does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("proofs", nargs="*", choices=[*PROOFS, []], metavar="PROOF")
    parser.add_argument("--scale", type=float, default=1.0, help="so many times the usual games")
    parser.add_argument("--dry", action="store_true", help="write nothing down")
    asked = parser.parse_args()
    failed = 0
    for name in asked.proofs or PROOFS:
        for row in PROOFS[name](asked.scale):
            failed += row["holds"] is False
            verdict = {True: "holds", False: "DOES NOT HOLD", None: ""}[row["holds"]]
            sys.stdout.write(f"{row['id']}: {row['figure']} {verdict}\n")
            sys.stdout.flush()
            if not asked.dry:
                keep([row])
    return 1 if failed else 0


sys.exit(main())
