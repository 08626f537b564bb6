"""Puts `housu.pyz` together: the pure parts and the starters in one zip that Python runs,
always the same bytes."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from games.arena.starters import STARTERS

_ROOT: Final = Path(__file__).parents[2]
_PACKAGES: Final = ("games/engine", "games/players", "games/arena")
_FILES: Final = (
    "games/__init__.py",
    "config/__init__.py",
    "config/kit/__init__.py",
    "config/kit/lines.py",
    "config/kit/strict.py",
)
_MAIN: Final = """\
import sys

if sys.version_info < (3, 11):
    sys.exit("housu.pyz needs Python 3.11 or newer; this is " + sys.version.split()[0])

from games.arena.housu import main

sys.exit(main())
"""
_SHEBANG: Final = b"#!/usr/bin/env python3\n"
_TIME: Final = (1980, 1, 1, 0, 0, 0)
_UNIX: Final = 3


def bundle() -> bytes:
    """The archive; not packed, since zlib's bytes differ from one machine to the next."""
    packed = io.BytesIO()
    packed.write(_SHEBANG)
    with zipfile.ZipFile(packed, "a", zipfile.ZIP_STORED) as archive:
        for name, text in _contents():
            entry = zipfile.ZipInfo(name, _TIME)
            entry.create_system = _UNIX
            archive.writestr(entry, text)
    return packed.getvalue()


def _contents() -> Iterator[tuple[str, bytes]]:
    yield "__main__.py", _MAIN.encode()
    modules = (file for package in _PACKAGES for file in (_ROOT / package).rglob("*.py"))
    laid_out = (_ROOT / path for starter in STARTERS.values() for path in starter.files.values())
    for file in sorted({*modules, *(_ROOT / name for name in _FILES), *laid_out}):
        yield file.relative_to(_ROOT).as_posix(), file.read_bytes()
