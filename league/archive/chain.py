"""The ledger's chain: each row's hash holds all rows before it."""

import hashlib
from collections.abc import Mapping
from typing import Any

from games.engine.rules import canonical_json


def link(head: bytes, seq: int, kind: str, body: Mapping[str, Any]) -> bytes:
    """SHA-256 over the hash before and the canonical JSON of the row."""
    return hashlib.sha256(head + canonical_json([seq, str(kind), body]).encode()).digest()
