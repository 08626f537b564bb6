"""Puts `housu.pyz` together: the pure parts in one zip that Python runs, always the same bytes."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parents[2]
_PACKAGES: Final = ("games/engine", "games/players", "games/arena")
_FILES: Final = (
    "games/__init__.py",
    "config/__init__.py",
    "config/kit/__init__.py",
    "config/kit/lines.py",
)
_MAIN: Final = "import sys\n\nfrom games.arena.housu import main\n\nsys.exit(main())\n"
_SHEBANG: Final = b"#!/usr/bin/env python3\n"
_TIME: Final = (1980, 1, 1, 0, 0, 0)


def bundle() -> bytes:
    """The archive."""
    packed = io.BytesIO()
    packed.write(_SHEBANG)
    with zipfile.ZipFile(packed, "a", zipfile.ZIP_DEFLATED) as archive:
        for name, text in _contents():
            entry = zipfile.ZipInfo(name, _TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, text)
    return packed.getvalue()


def _contents() -> Iterator[tuple[str, bytes]]:
    yield "__main__.py", _MAIN.encode()
    modules = (file for package in _PACKAGES for file in (_ROOT / package).rglob("*.py"))
    for file in sorted({*modules, *(_ROOT / name for name in _FILES)}):
        yield file.relative_to(_ROOT).as_posix(), file.read_bytes()
