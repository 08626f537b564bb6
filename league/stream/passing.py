"""What a stream tells in passing, without a number: standings that changed, progress, queues.

Worth nothing once the next one comes, so a slow reader gets the newest alone.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from config.kit.wire import dumps
from games.stream.frames import frame
from league.models import Competition
from league.queries import documents
from league.queries.dashboards import progress
from league.queries.standings import standings
from league.services import entrants

NOBODY_WAITS: Final = dumps({"rows": []})


class Shown(NamedTuple):
    """Standings rows by entry, the progress and the queues, as bytes; of which ledger row."""

    seq: int
    rows: dict[int, bytes]
    progress: bytes
    queue: bytes


class Passing:
    """The newest of each, with the number of the look at which it last changed."""

    def __init__(self) -> None:
        self.looks = 0
        self.seq = -1
        self._rows: dict[int, bytes] = {}
        self._changed: dict[int, int] = {}
        # By kind of event. A queue is told only once there has been one.
        self._whole = {"progress": b"", "queue": NOBODY_WAITS}
        self._whole_at = dict.fromkeys(self._whole, 0)

    def take(self, shown: Shown) -> bool:
        """Take a new look in; says whether anything is another than before."""
        number = self.looks + 1
        entries = shown.rows.keys() | self._rows.keys()
        changed = [n for n in entries if shown.rows.get(n) != self._rows.get(n)]
        self._changed.update(dict.fromkeys(changed, number))
        for kind, data in (("progress", shown.progress), ("queue", shown.queue)):
            if data != self._whole[kind]:
                self._whole[kind], self._whole_at[kind] = data, number
        self.seq, self._rows = shown.seq, shown.rows
        if not changed and number not in self._whole_at.values():
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
        for kind, at in self._whole_at.items():
            if at > look:
                parts.append(frame(kind, self._whole[kind]))
        return b"".join(parts)


def look(competition_id: int) -> Shown | None:
    """The standings and the progress as they are now; None if the competition is gone."""
    found = Competition.objects.filter(pk=competition_id).first()
    if found is None:
        return None
    rows: list[Any] = list(documents.standings(standings(found)))
    told = {"ledger_seq": found.ledger_seq, "state": found.state, **progress(found)}
    by_entry = {row["entry"]: dumps(row) for row in rows}
    return Shown(found.ledger_seq, by_entry, dumps(told), _queue(found))


def _queue(competition: Competition) -> bytes:
    """Which machines have turns waiting for room; whose turns are all out is not named."""
    found = sorted(entrants.queues(competition).items())
    waits = [
        {"player": player, "out": out, "waiting": waiting}
        for player, (out, waiting) in found
        if waiting
    ]
    return dumps({"rows": waits})
