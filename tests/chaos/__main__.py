"""`make prove R=R2` or `make chaos`: prove rows of guarantees.md; exit status 1 if one fails."""

import os
import sys
from importlib import import_module
from pkgutil import iter_modules

import django

from tests import chaos
from tests.benchmarks.serving import serving
from tests.chaos.report import write_row


def main(names: list[str]) -> int:
    known = sorted(one.name for one in iter_modules(chaos.__path__) if one.name[1:].isdigit())
    wanted = [name.lower() for name in names] or known
    if unknown := set(wanted) - set(known):
        sys.exit(f"no script proves {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    failed = False
    with serving() as served:
        os.environ.update(served.environment)
        django.setup()
        for name in wanted:
            proof = import_module(f"tests.chaos.{name}").prove(served.port)
            write_row(name.upper(), proof)
            holds = "holds" if proof.holds else "DOES NOT HOLD"
            sys.stdout.write(f"{name.upper()} {holds}: {proof.figure} ({proof.goal})\n")
            sys.stdout.flush()
            failed |= not proof.holds
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
