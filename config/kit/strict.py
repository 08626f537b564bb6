"""JSON read strictly: what other parsers might read otherwise is refused.

NaN, numbers out of range, duplicate keys, lone surrogates, NUL, deep nesting, a byte order mark,
a second document. Knows nothing of who sent it.
"""

from __future__ import annotations

import json
import math
from typing import NoReturn

MAX_DEPTH = 16
MAX_DIGITS = 19


class StrictJSONError(ValueError):
    """Text that is not one plain JSON document; the message says what is wrong with it."""


def loads(data: bytes) -> object:
    """Read one UTF-8 document; raises `StrictJSONError`.

    >>> loads(b'{"action": "U"}')
    {'action': 'U'}
    """
    try:
        value = _STRICT.decode(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise StrictJSONError("not UTF-8") from None
    except RecursionError:
        raise StrictJSONError("nested too deeply") from None
    except json.JSONDecodeError as error:
        raise StrictJSONError(f"{error.msg} at character {error.pos}") from None
    _check(value, 1)
    return value


def _no_constant(name: str) -> NoReturn:
    raise StrictJSONError(f"{name} is no JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise StrictJSONError("a number out of range")
    return number


def _short(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise StrictJSONError("a number out of range")
    return int(text)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise StrictJSONError("a key stands twice in one object")
    return found


_STRICT = json.JSONDecoder(
    parse_constant=_no_constant,
    parse_float=_finite,
    parse_int=_short,
    object_pairs_hook=_unique,
)


def _check(value: object, depth: int) -> None:
    if isinstance(value, str):
        if "\0" in value or not _encodes(value):
            raise StrictJSONError("a string with NUL or half a surrogate pair")
    elif isinstance(value, dict | list):
        if depth > MAX_DEPTH:
            raise StrictJSONError("nested too deeply")
        for part in [*value, *value.values()] if isinstance(value, dict) else value:
            _check(part, depth + 1)


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
