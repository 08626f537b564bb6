"""Run a command on the services of a running `make up`: `python -m config.embedded.beside ...`."""

import json
import os
import sys
from pathlib import Path

from config.embedded import keeping, programs
from config.embedded.supervisor import RUNNING_NOTE


def main(argv: list[str]) -> int:
    """Become `argv` with this Python and the running services' environment."""
    state_dir = Path(os.environ.get("STATE_DIR") or programs.PROJECT / "var").resolve()
    if not keeping.held(state_dir):
        sys.stderr.write(f"Nothing runs on {state_dir}: start it first with 'make up'.\n")
        return 1
    told = json.loads((state_dir / RUNNING_NOTE).read_text())
    os.execve(sys.executable, [sys.executable, *argv], os.environ | told)  # noqa: S606


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
