"""Names that people choose: which may stand on a page, and which look alike.

Refuses what could hide or reorder text; says nothing about manners.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from config.kit.errors import InvalidError

SHORTEST, LONGEST = 2, 40
# Cc, Cf (bidi, zero width), Cs, Co, Cn; and separators of lines and paragraphs.
_HIDDEN: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
# What passes for a Latin letter: other scripts and digits (the common ones of Unicode TR39).
_LOOKALIKES: Final = str.maketrans(
    "авеһкмнорсстухіјѕԁԛԝɡαβεικνορτυχ0135|!$@",
    "abehkmhopcctyxijsdqwgabeikvoptuxoiesiisa",
)


class BadNameError(InvalidError):
    """A name that is too short, too long, or hides characters."""

    code = "bad_name"


def checked(name: str, longest: int = LONGEST) -> str:
    """The name as it is kept: NFC, single spaces. Raises `BadNameError`.

    >>> checked("  Aino   Aalto ")
    'Aino Aalto'
    """
    kept = " ".join(unicodedata.normalize("NFC", name).split(" ")).strip()
    kept = " ".join(part for part in kept.split(" ") if part)
    if any(unicodedata.category(char) in _HIDDEN for char in kept):
        raise BadNameError("A name has no control, bidirectional or zero-width characters.")
    if not SHORTEST <= _graphemes(kept) <= longest or len(kept) > 2 * longest:
        raise BadNameError(f"A name has {SHORTEST} to {longest} characters.")
    return kept


def folded(name: str) -> str:
    """What names that look alike have in common.

    >>> folded("R0B0") == folded("rоbо")  # with Cyrillic о
    True
    """
    bare = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name)).casefold()
    letters = "".join(char for char in bare if not unicodedata.combining(char))
    return "".join(letters.translate(_LOOKALIKES).split())[:160]


def _graphemes(name: str) -> int:
    """Characters as people count them: marks belong to the letter before."""
    return sum(1 for char in name if not unicodedata.combining(char))
