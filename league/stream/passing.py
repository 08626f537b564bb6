"""What a stream tells in passing, without a number: rows of standings and tables that changed,
progress, queues, disputes.

Worth nothing once the next one comes, so a slow reader gets the newest alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any, Final, NamedTuple

from config.kit.wire import dumps
from games.stream.frames import frame
from league.models import Competition
from league.queries import brackets, documents
from league.queries.dashboards import progress
from league.queries.disputes import disputes
from league.queries.standings import standings
from league.queries.tables import unfinished
from league.services import entrants

# An entry's number, or those of a round and a table.
Key = int | tuple[int, int]
# Told by rows that changed; and as a whole, the last two only once there has been one.
BY_ROWS: Final = ("standings.changed", "table.live")
NONE: Final = dumps({"rows": []})
WHOLE: Final[Mapping[str, bytes]] = {"progress": b"", "queue": NONE, "disputes": NONE}


class Shown(NamedTuple):
    """What there is to tell, as bytes: rows by kind and key, the rest by kind; of which ledger
    row."""

    seq: int
    rows: Mapping[str, Mapping[Key, bytes]]
    whole: Mapping[str, bytes]


class Passing:
    """The newest of each, with the number of the look at which it last changed."""

    def __init__(self) -> None:
        self.looks = 0
        self.seq = -1
        self._rows: Mapping[str, Mapping[Key, bytes]] = {kind: {} for kind in BY_ROWS}
        self._changed: dict[str, dict[Key, int]] = {kind: {} for kind in BY_ROWS}
        self._whole = dict(WHOLE)
        self._whole_at = dict.fromkeys(WHOLE, 0)

    def take(self, shown: Shown) -> bool:
        """Take a new look in; says whether anything is another than before."""
        number = self.looks + 1
        for kind, changed in self._changed.items():
            before, now = self._rows[kind], shown.rows[kind]
            others = [key for key in before.keys() | now.keys() if before.get(key) != now.get(key)]
            changed.update(dict.fromkeys(others, number))
        for kind, data in shown.whole.items():
            if data != self._whole[kind]:
                self._whole[kind], self._whole_at[kind] = data, number
        self.seq, self._rows = shown.seq, shown.rows
        newest = [*self._whole_at.values(), *chain(*(at.values() for at in self._changed.values()))]
        if number not in newest:
            return False
        self.looks = number
        return True

    def after(self, look: int) -> bytes:
        """What is new for a reader who has everything up to that look; all of it for look 0."""
        parts = [self._of(kind, look) for kind in BY_ROWS]
        parts += [
            frame(kind, self._whole[kind]) for kind, at in self._whole_at.items() if at > look
        ]
        return b"".join(parts)

    def _of(self, kind: str, look: int) -> bytes:
        rows = self._rows[kind]
        keys = [key for key, at in self._changed[kind].items() if at > look]
        there = [rows[key] for key in keys if key in rows]
        # Who has seen nothing yet need not be told what is gone.
        gone = [key for key in keys if key not in rows and look]
        if not there and not gone:
            return b""
        data = b'{"ledger_seq":%d,"rows":[%s],"gone":%s}'
        return frame(kind, data % (self.seq, b",".join(there), dumps(gone)))


def look(competition_id: int) -> Shown | None:
    """All of it as it is now; None if the competition is gone."""
    found = Competition.objects.filter(pk=competition_id).first()
    if found is None:
        return None
    told = {"ledger_seq": found.ledger_seq, "state": found.state, **progress(found)}
    whole = {
        "progress": dumps(told),
        "queue": _queue(found),
        "disputes": dumps({"rows": disputes(found)}),
    }
    rows = {"standings.changed": _standings(found), "table.live": _tables(found)}
    return Shown(found.ledger_seq, rows, whole)


def _standings(competition: Competition) -> dict[Key, bytes]:
    rows: list[Any] = list(documents.standings(standings(competition)))
    return {row["entry"]: dumps(row) for row in rows}


def _tables(competition: Competition) -> dict[Key, bytes]:
    """Tables that wait or are played, with the game there and how far it is."""
    live: dict[int, Any] = dict(
        brackets.by_round(unfinished().filter(round__competition=competition))
    )
    return {(row["round"], row["number"]): dumps(row) for rows in live.values() for row in rows}


def _queue(competition: Competition) -> bytes:
    """Which machines have turns waiting for room; whose turns are all out is not named."""
    found = sorted(entrants.queues(competition).items())
    waits = [
        {"player": player, "out": out, "waiting": waiting}
        for player, (out, waiting) in found
        if waiting
    ]
    return dumps({"rows": waits})
