"""Lines of the act log in words, for organisers. What has no words here is shown by its code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from config.kit.models import Act

_VERBS: Final[Mapping[str, str]] = {
    "result.reported": "told a result",
    "result.confirmed": "confirmed a result",
    "result.amended": "corrected a result",
    "result.disputed": "said something else",
    "result.ruled": "ruled a result",
    "result.voided": "let a result count nowhere",
    "result.undone": "undid a correction",
    "result.taken_back": "took a result back",
    "result.nothing": "said what stood there",
    "sheet.confirmed": "confirmed the sheet",
    "chip.given": "gave chips",
    "adjustment.given": "took chips",
    "adjustment.revoked": "revoked chips",
    "entry.dropped": "took somebody out",
    "entry.substituted": "let somebody else play",
    "note.erased": "erased a note",
    "competition.running": "resumed it",
    "competition.paused": "paused it",
    "competition.void": "called it off",
}


def words(row: Act, deals_of: str) -> str:
    """What was done, where, and to what; `deals_of` is the target that goes without saying."""
    where = row.target.removeprefix(deals_of).strip("/")
    names = ("round", "table", "deal")
    place = ", ".join(
        f"{name} {at}" for name, at in zip(names, where.split("/"), strict=False) if at
    )
    about = ", ".join(f"{name} {value}" for name, value in sorted(row.data.items()))
    verb = _VERBS.get(row.verb, row.verb)
    return " · ".join(part for part in (verb, place, about) if part)
