"""Feeds: one reader of each competition that somebody of this process follows.

A feed reads the new rows of its ledger when there is news of them, writes each once, and holds the
newest for all who follow. News may be lost, so it looks by itself every few seconds too.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterator
from typing import Final, NamedTuple

import structlog

from config.kit.hub import heard
from config.kit.streaming import Shared
from config.kit.wire import dumps
from games.stream.frames import frame
from league.models import Competition, LedgerRow
from league.queries import documents
from league.services.ledger import CHANNEL
from league.stream import passing

log = structlog.get_logger(__name__)

POLL_S: Final = 3.0
# Standings are looked at no more often than this.
CALM_S: Final = 1.0
AT_ONCE: Final = 500
# How many rows are held ready; who is further behind reads the table.
HELD: Final = 2000


class Rows(NamedTuple):
    """Rows of the ledger as pieces of a stream, in order without gaps; the number of the last."""

    pieces: list[bytes]
    last: int


class Feed:
    """One competition. `seq` is None until it was read; `changed` is set, and replaced, with news.

    `gone`: there is no such competition any more.
    """

    def __init__(self, shared: Shared, competition_id: int) -> None:
        self.seq: int | None = None
        self.gone = False
        self.changed = asyncio.Event()
        self.passing = passing.Passing()
        self.followers = 0
        self._shared = shared
        self._id = competition_id
        self._held: list[bytes] = []
        self._looked_at = 0.0
        self._task = asyncio.create_task(self._run())

    async def after(self, seq: int) -> Rows:
        """The rows after `seq`, some at a time; none if there are none."""
        if self.seq is not None and self.seq - len(self._held) <= seq:
            first = len(self._held) - (self.seq - seq)
            pieces = self._held[first : first + AT_ONCE] if seq < self.seq else []
            return Rows(pieces, seq + len(pieces))
        return await self._shared.readers.run(rows_after, self._id, seq)

    def close(self) -> None:
        """Stop reading."""
        self._task.cancel()

    async def _run(self) -> None:
        with self._shared.hub.watch(CHANNEL, str(self._id)) as news:
            await self._shared.hub.ready()
            while not self.gone:
                news.clear()
                try:
                    waits = await self._look()
                except Exception:
                    # The database may be away for a while; the next look finds what was missed.
                    log.warning("feed_can_not_read", competition=self._id, exc_info=True)
                    waits = POLL_S
                await heard(news, waits)

    async def _look(self) -> float:
        """Read what is new; says how long to wait without news."""
        run = self._shared.readers.run
        if self.seq is None:
            self.seq = await run(_last, self._id)
            self.gone = self.seq is None
            self._tell()
        while self.seq is not None and (rows := await run(rows_after, self._id, self.seq)).pieces:
            self._held = [*self._held, *rows.pieces][-HELD:]
            self.seq = rows.last
            self._tell()
        calm = time.monotonic() - self._looked_at
        news = self.seq != self.passing.seq
        if calm < (CALM_S if news else POLL_S):
            return CALM_S - calm if news else POLL_S
        shown = await run(passing.look, self._id)
        self._looked_at = time.monotonic()
        self.gone = shown is None
        if shown is None or self.passing.take(shown):
            self._tell()
        return POLL_S

    def _tell(self) -> None:
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()


class Feeds:
    """The feeds of one process."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._feeds: dict[int, Feed] = {}

    @contextlib.contextmanager
    def following(self, competition_id: int) -> Iterator[Feed]:
        """The competition's feed, for as long as somebody follows."""
        feed = self._feeds.get(competition_id)
        if feed is None:
            feed = self._feeds[competition_id] = Feed(self._shared, competition_id)
        feed.followers += 1
        try:
            yield feed
        finally:
            feed.followers -= 1
            if not feed.followers:
                feed.close()
                self._feeds.pop(competition_id, None)

    async def close(self) -> None:
        """End every feed."""
        for feed in self._feeds.values():
            feed.close()


def rows_after(competition_id: int, seq: int) -> Rows:
    """The next rows of a ledger. They are committed in order, so none is ever skipped."""
    rows = LedgerRow.objects.filter(competition=competition_id, seq__gt=seq).order_by("seq")
    found = list(rows[:AT_ONCE])
    pieces = [frame(row.kind, dumps(documents.ledger_row(row)), row.seq) for row in found]
    return Rows(pieces, seq + len(pieces))


def _last(competition_id: int) -> int | None:
    found = Competition.objects.filter(pk=competition_id)
    return found.values_list("ledger_seq", flat=True).first()
