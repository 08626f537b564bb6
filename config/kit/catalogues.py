"""Catalogues of translations: read as `.po`, written as the `.mo` that gettext reads.

Enough of both forms for ours, so that nobody needs gettext's own programs to change a sentence.
"""

from __future__ import annotations

import ast
import struct
from collections.abc import Mapping
from pathlib import Path

_MAGIC = 0x950412DE


def read_po(text: str) -> dict[str, str]:
    """The sentences of a catalogue; of one without a translation "".

    >>> read_po('msgid "Ends"\\nmsgstr "Päättyy"\\n')
    {'Ends': 'Päättyy'}
    """
    entries, keyword, key = dict[str, str](), "", ""
    for line in text.splitlines():
        word, quote, rest = line.partition('"')
        if not quote or line.startswith("#"):
            continue
        keyword = word.strip() or keyword
        part = ast.literal_eval(f'"{rest}')
        if keyword == "msgid":
            key = part if word else key + part
        else:
            entries[key] = entries.get(key, "") + part if not word else part
    return entries


def write_mo(entries: Mapping[str, str]) -> bytes:
    """The compiled form: two tables of lengths and places, then the texts."""
    pairs = sorted((k.encode(), v.encode()) for k, v in entries.items() if v)
    begin = 28 + 16 * len(pairs)
    texts, tables = b"", [b"", b""]
    for side in (0, 1):
        for pair in pairs:
            tables[side] += struct.pack("<II", len(pair[side]), begin + len(texts))
            texts += pair[side] + b"\0"
    head = (_MAGIC, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, begin)
    return struct.pack("<7I", *head) + tables[0] + tables[1] + texts


def compile_all(locale: Path) -> None:
    """Write the `.mo` beside every `.po` below a folder."""
    for source in sorted(locale.glob("*/LC_MESSAGES/*.po")):
        source.with_suffix(".mo").write_bytes(write_mo(read_po(source.read_text())))
