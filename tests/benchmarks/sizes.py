"""How much memory a game holds for itself alone."""

import sys

from games.engine import Game
from games.engine.board import Board

_SHARED = ("tables", "deck", "now", "tops", "here", "phase", "ending", "claim")
_SMALL = 257
"""Ints below this exist once in the interpreter."""


def size_of(game: Game) -> int:
    """Bytes of a game: itself, its lists and the ints in them; not what all games of its rule set
    and deck share."""
    total = sys.getsizeof(game)
    for name in Board.__slots__:
        if name not in _SHARED:
            total += _deep(getattr(game, name))
    return total


def _deep(value: object) -> int:
    if isinstance(value, int):
        return 0 if -6 < value < _SMALL else sys.getsizeof(value)
    if isinstance(value, list | tuple):
        return sys.getsizeof(value) + sum(map(_deep, value))
    if isinstance(value, dict):
        return sys.getsizeof(value) + sum(map(_deep, (*value.keys(), *value.values())))
    return 0 if value is None else sys.getsizeof(value)
