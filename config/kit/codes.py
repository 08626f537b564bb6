"""Secrets of links and codes that people type: made, read as they were meant, kept as a hash.

Codes have no letter that looks like a digit; what is typed instead is taken for it.
"""

import hashlib
import secrets
from typing import Final

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
SECRET_BYTES: Final = 24
_MEANT: Final = str.maketrans("OILU", "011V")


def secret() -> str:
    """A secret for an address: 32 characters, 192 bits."""
    return secrets.token_urlsafe(SECRET_BYTES)


def code(length: int) -> str:
    """A code to type: five bits a character."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def grouped(text: str) -> str:
    """A code as it is printed.

    >>> grouped("K7QF2M9XABCD")
    'K7QF-2M9X-ABCD'
    """
    return "-".join(text[at : at + 4] for at in range(0, len(text), 4))


def meant(typed: str) -> str:
    """A code as it was meant, however it was typed.

    >>> meant(" k7qf-2m9x oil ")
    'K7QF2M9X011'
    """
    kept = "".join(char for char in typed.upper() if char.isascii() and char.isalnum())
    return kept.translate(_MEANT)


def digest(text: str) -> bytes:
    """What is kept: secrets and codes are random and long enough for one SHA-256."""
    return hashlib.sha256(text.encode(errors="replace")).digest()
