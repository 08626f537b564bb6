"""What else `make up` runs beside the services: the demo's example bots, read after the demo data.

Knows only names, arguments and environments; what the demo made stands in a file of its own.
"""

import json
import sys
from pathlib import Path
from typing import NamedTuple

EXAMPLES = Path("bots_api") / "examples" / "python"
SDK = Path("bots_api") / "sdk"
NOTE = "demo_bots.json"


class Extra(NamedTuple):
    """One more process: its short name in the log, its arguments, its own environment."""

    name: str
    argv: list[str]
    env: dict[str, str]


def processes(state_dir: Path) -> list[Extra]:
    """Return the processes to run; each is started again when it ends."""
    note = state_dir / NOTE
    examples = json.loads(note.read_text()) if note.exists() else []
    return [_example(**example) for example in examples]


def _example(name: str, file: str, port: int, secret: str) -> Extra:
    argv = [sys.executable, str(EXAMPLES / file), "--port", str(port)]
    return Extra(name.lower(), argv, {"PYTHONPATH": str(SDK), "HOUSUBOT_SECRET": secret})
