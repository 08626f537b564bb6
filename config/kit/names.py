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
# Letters and marks that show nothing or a blank, though Unicode does not call them formats.
_BLANK: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
) | frozenset(map(chr, range(0xE0100, 0xE01F0)))
# They choose between two pictures of the character before: no difference in a name.
_SELECTORS: Final = frozenset(map(chr, range(0xFE00, 0xFE10)))
_SKIN_TONES: Final = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
_FLAG_LETTERS: Final = frozenset(map(chr, range(0x1F1E6, 0x1F200)))
# What passes for a Latin letter: other scripts and digits (the common ones of Unicode TR39).
_LOOKALIKES: Final = str.maketrans(
    "авеһкмнорсстухіјѕԁԛԝɡαβεικνορτυχıɩøł0135|!$@l",
    "abehkmhopcctyxijsdqwgabeikvoptuxiioioiesiisai",
)
_PAIRS: Final = (("rn", "m"), ("vv", "w"))


class BadNameError(InvalidError):
    """A name that is too short, too long, or hides characters."""

    code = "bad_name"


def checked(name: str, longest: int = LONGEST) -> str:
    """The name as it is kept: NFC, single spaces. Raises `BadNameError`.

    >>> checked("  Aino   Aalto ")
    'Aino Aalto'
    """
    plain = "".join(char for char in unicodedata.normalize("NFC", name) if char not in _SELECTORS)
    if any(unicodedata.category(char) in _HIDDEN or char in _BLANK for char in plain):
        raise BadNameError("A name has no control, bidirectional or zero-width characters.")
    kept = " ".join(plain.split())
    if not SHORTEST <= _graphemes(kept) <= longest or len(kept) > 2 * longest:
        raise BadNameError(f"A name has {SHORTEST} to {longest} characters.")
    return kept


def folded(name: str) -> str:
    """What names that look alike have in common.

    >>> folded("R0B0") == folded("rоbо")  # with Cyrillic о
    True
    """
    bare = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    letters = "".join(char for char in bare if not _is_mark(char) and not char.isspace())
    letters = letters.translate(_LOOKALIKES)
    for pair, letter in _PAIRS:
        letters = letters.replace(pair, letter)
    return letters[:160]


def _graphemes(name: str) -> int:
    """Characters as people count them: marks and skin tones belong to the one before, two letters
    of a flag are one flag.

    >>> _graphemes("A\u0308\u0301"), _graphemes("\U0001f44d\U0001f3fd\U0001f1eb\U0001f1ee")
    (1, 2)
    """
    flags = sum(char in _FLAG_LETTERS for char in name)
    letters = sum(not _is_mark(char) and char not in _SKIN_TONES for char in name)
    return letters - flags + (flags + 1) // 2


def _is_mark(char: str) -> bool:
    return unicodedata.category(char).startswith("M")
