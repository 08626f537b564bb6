"""What a stream tells in passing, without a number: standings that changed, and progress.

Worth nothing once the next one comes, so a slow reader gets the newest alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from config.kit.wire import dumps
from games.stream.frames import frame
from league.models import Competition
from league.queries import documents
from league.queries.dashboards import progress
from league.queries.standings import standings


class Shown(NamedTuple):
    """Standings rows by entry, and the progress, as bytes; of which ledger row."""

    seq: int
    rows: dict[int, bytes]
    progress: bytes


class Passing:
    """The newest of both, with the number of the look at which each row last changed."""

    def __init__(self) -> None:
        self.looks = 0
        self.seq = -1
        self._rows: dict[int, bytes] = {}
        self._changed: dict[int, int] = {}
        self._progress = b""
        self._progress_at = 0

    def take(self, shown: Shown) -> bool:
        """Take a new look in; says whether anything is another than before."""
        number = self.looks + 1
        entries = shown.rows.keys() | self._rows.keys()
        changed = [n for n in entries if shown.rows.get(n) != self._rows.get(n)]
        self._changed.update(dict.fromkeys(changed, number))
        if shown.progress != self._progress:
            self._progress, self._progress_at = shown.progress, number
        self.seq, self._rows = shown.seq, shown.rows
        if not changed and self._progress_at != number:
            return False
        self.looks = number
        return True

    def after(self, look: int) -> bytes:
        """What is new for a reader who has everything up to that look; all of it for look 0."""
        numbers = [n for n, at in self._changed.items() if at > look]
        rows = [self._rows[n] for n in numbers if n in self._rows]
        gone = [n for n in numbers if n not in self._rows]
        parts = []
        if rows or gone:
            data = b'{"ledger_seq":%d,"rows":[%s],"gone":%s}'
            parts.append(
                frame("standings.changed", data % (self.seq, b",".join(rows), dumps(gone)))
            )
        if self._progress_at > look:
            parts.append(frame("progress", self._progress))
        return b"".join(parts)


def look(competition_id: int) -> Shown | None:
    """The standings and the progress as they are now; None if the competition is gone."""
    found = Competition.objects.filter(pk=competition_id).first()
    if found is None:
        return None
    rows: list[Any] = list(documents.standings(standings(found)))
    told = {"ledger_seq": found.ledger_seq, "state": found.state, **progress(found)}
    return Shown(found.ledger_seq, {row["entry"]: dumps(row) for row in rows}, dumps(told))
