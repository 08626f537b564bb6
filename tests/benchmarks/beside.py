"""Asks the peers of peers.py, which run in an environment of their own, for one turn at a time."""

import json
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Final, Self

ROOT: Final = Path(__file__).parents[2]
PYTHON: Final = ROOT / ".venv-bench" / "bin" / "python"
HOW: Final = "no .venv-bench: run `make bench`"


class Peers:
    """A running process of peers; `missing` says of a name why it can't be measured."""

    def __init__(self) -> None:
        self.missing: dict[str, str] = {}
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        if PYTHON.exists():
            self._process = subprocess.Popen(
                [PYTHON, Path(__file__).with_name("peers.py")],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process is not None:
            self._process.communicate()

    def turn(self, name: str) -> tuple[int, float]:
        """Plies of one turn and its seconds; none where the peer is missing."""
        if name not in self.missing:
            answer = self._asked(name)
            if "plies" in answer:
                return int(answer["plies"]), float(answer["seconds"])
            self.missing[name] = str(answer.get("missing"))
        return 0, 0.0

    def _asked(self, name: str) -> dict[str, float | str]:
        process = self._process
        if process is None:
            return {"missing": HOW}
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(name + "\n")
            process.stdin.flush()
        except BrokenPipeError:
            return {"missing": "the process of peers has ended"}
        line = process.stdout.readline()
        answer: dict[str, float | str] = json.loads(line or '{"missing": "it ended"}')
        return answer
