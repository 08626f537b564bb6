"""A competition's document as bytes, a row at a time: it is never whole in memory."""

from __future__ import annotations

from collections.abc import Iterator

from config.kit.wire import dumps
from league.models import Competition
from league.queries import archive


def pieces(competition: Competition) -> Iterator[bytes]:
    """The JSON in pieces; `club` and `rules` should be selected along."""
    for at, (name, value) in enumerate(archive.parts(competition)):
        yield b"%s%s:" % (b",\n" if at else b"{", dumps(name))
        if isinstance(value, Iterator):
            yield from _listed(value)
        else:
            yield dumps(value)
    yield b"}\n"


def _listed(rows: Iterator[object]) -> Iterator[bytes]:
    yield b"["
    for at, row in enumerate(rows):
        yield (b",\n" if at else b"\n") + dumps(row)
    yield b"]"
