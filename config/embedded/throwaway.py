"""Run a Python program on throw-away services: `python -m config.embedded.throwaway manage.py ...`.

Owns no data: what the program leaves in the database is removed with it.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from config.embedded.services import services


def main(argv: list[str]) -> int:
    """Run `argv` with this Python and the services' environment; return its exit code."""
    with (
        tempfile.TemporaryDirectory(prefix="housuliiga-once-") as folder,
        services(Path(folder)) as environment,
    ):
        return subprocess.run([sys.executable, *argv], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
