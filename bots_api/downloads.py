"""The files for bot authors, at `/sdk/`, each with its SHA-256 beside it.

The one list of what is there; what a file says is for its own module.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse

from bots_api.protocol import positions
from bots_api.protocol.schemas import TURN_SCHEMA
from config.kit import etag
from config.kit.wire import dumps
from games.arena.bundle import bundle

_HERE: Final = Path(__file__).parent
_DOCS: Final = _HERE.parent / "docs"
_SUMS: Final = "SHA256SUMS"
_TYPES: Final = {
    ".json": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".py": "text/x-python; charset=utf-8",
    ".pyz": "application/zip",
}
_PLAIN: Final = "text/plain; charset=utf-8"
EXAMPLES: Final = (
    "python/lowest_bot.py",
    "python/keeper_bot.py",
    "js/bot.mjs",
    "js/housu.mjs",
    "go/bot.go",
    "go/housu.go",
    "go/pull.go",
    "go/go.mod",
    "sh/bot.sh",
)
FILES: Final[dict[str, Callable[[], bytes]]] = {
    "housubot.py": (_HERE / "sdk" / "housubot.py").read_bytes,
    "housu.pyz": bundle,
    "positions.json": lambda: dumps(positions.document()),
    "turn.schema.json": lambda: dumps(TURN_SCHEMA),
    **{name: (_DOCS / name).read_bytes for name in ("bots.md", "bots-reference.md")},
    **{f"examples/{name}": (_HERE / "examples" / name).read_bytes for name in EXAMPLES},
}


def sdk(request: HttpRequest, name: str) -> HttpResponse:
    """`/sdk/<name>`; its SHA-256 at `/sdk/<name>.sha256`, all of them at `/sdk/SHA256SUMS`."""
    if name == _SUMS:
        return etag.answer_bytes(request, "".join(map(_line, FILES)).encode(), _PLAIN)
    plain = name.removesuffix(".sha256")
    if plain not in FILES:
        raise Http404
    if name != plain:
        line = f"{checksum(plain)}  {plain.rpartition('/')[2]}\n"
        return etag.answer_bytes(request, line.encode(), _PLAIN)
    return etag.answer_bytes(request, content(plain), _TYPES.get(Path(plain).suffix, _PLAIN))


@cache
def content(name: str) -> bytes:
    """The bytes of a file; made once in a process."""
    return FILES[name]()


@cache
def checksum(name: str) -> str:
    """Its SHA-256."""
    return hashlib.sha256(content(name)).hexdigest()


def _line(name: str) -> str:
    return f"{checksum(name)}  {name}\n"
