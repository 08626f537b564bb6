"""Commands that read lines and write JSON lines: bytes in, ASCII out, no fear of closed pipes.

Bytes that are not UTF-8 come in as lone surrogates, so that a reader can refuse their line alone.
"""

import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path


def read_text(file: Path | None) -> str:
    """A file's text, or standard input's; line ends as they are."""
    data = sys.stdin.buffer.read() if file is None else file.read_bytes()
    return data.decode("utf-8", "surrogateescape")


def write_lines(lines: Iterable[Mapping[str, object]]) -> bool:
    """Write JSON lines to standard output until the first with `"ok": false`; says whether there
    was none. Whoever closes the pipe has read enough: the rest is not written."""
    try:
        for line in lines:
            sys.stdout.write(json.dumps(line, separators=(",", ":")) + "\n")
            if line.get("ok") is False:
                sys.stdout.flush()
                return False
        sys.stdout.flush()
    except BrokenPipeError:
        # Nothing is left to flush when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return True
