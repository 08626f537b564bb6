"""The code of a slip: round and table with a letter that finds slips of the pen."""

from __future__ import annotations

import re
from typing import Final

_LETTERS: Final = "ACDEFHJKLMNPRTUVWXY"
_WRITTEN: Final = re.compile(r"\s*(\d{1,4})\D+(\d{1,3})[\s-]*([A-Za-z])\s*")


def written(round_number: int, table_number: int) -> str:
    """The code as it stands on a slip.

    >>> written(3, 2)
    '3-2-R'
    """
    return f"{round_number}-{table_number}-{_letter(round_number, table_number)}"


def read(text: str) -> tuple[int, int] | None:
    """Round and table of a code that somebody types; None where it can't be one.

    >>> read("3-2-r"), read(" 3 2 r "), read("3-2-A")
    ((3, 2), (3, 2), None)
    """
    found = _WRITTEN.fullmatch(text)
    if found is None or not text.isascii():
        return None
    numbers = int(found[1]), int(found[2])
    return numbers if found[3].upper() == _letter(*numbers) else None


def _letter(round_number: int, table_number: int) -> str:
    return _LETTERS[(7 * round_number + 3 * table_number + 4) % len(_LETTERS)]
