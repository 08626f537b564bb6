"""Feeds: one reader of each game that somebody of this process watches, however many they are.

A feed reads its game when there is news of it, and writes what each kind of viewer is told once.
News may be lost, so all feeds are looked through every few seconds, in one statement.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Final
from uuid import UUID

import structlog

from config.kit.streaming import Shared
from games.looking import look_for_all
from games.queries.played import Played
from games.queries.stamps import Stamp, stamp, stamps
from games.services.plies import CHANNEL
from games.stream.frames import Told, tell

log = structlog.get_logger(__name__)

POLL_S: Final = 3.0


class Feed:
    """One game. `now` is None until it was read; `changed` is set, and replaced, with every news.

    `gone`: there is no such game any more.
    """

    def __init__(self, shared: Shared, game_id: UUID) -> None:
        self.now: Stamp | None = None
        self.gone = False
        self.changed = asyncio.Event()
        self.watchers = 0
        self._shared = shared
        self._id = game_id
        self._played: Played | None = None
        self._told: dict[int | None, Told] = {}
        self._telling: dict[int | None, asyncio.Task[Told]] = {}
        self._news = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    async def told(self, seat: int | None) -> Told:
        """What this kind of viewer is told by `now`; written once for all of it."""
        if seat not in self._telling:
            assert self.now is not None and self._played is not None
            self._telling[seat] = asyncio.create_task(self._tell(self.now, self._played, seat))
        telling = self._telling[seat]
        # Who leaves must not take the others' task along.
        return telling.result() if telling.done() else await asyncio.shield(telling)

    def offer(self, now: Stamp | None) -> None:
        """Read the game again if this stamp is another than the last."""
        if now is None or self.now is None or now.key != self.now.key or now.overdue:
            self._news.set()

    def close(self) -> None:
        """Stop reading."""
        self._task.cancel()

    async def _run(self) -> None:
        with self._shared.hub.watch(CHANNEL, str(self._id)) as self._news:
            await self._shared.hub.ready()
            while not self.gone:
                self._news.clear()
                try:
                    await self._look()
                except Exception:
                    # The database may be away for a while; the poll comes by again.
                    log.warning("feed_can_not_read", game=str(self._id), exc_info=True)
                await self._news.wait()

    async def _look(self) -> None:
        found = await self._shared.readers.run(_moment, self._id)
        if found is None:
            self.gone = True
        else:
            before, (self.now, self._played) = self.now, found
            if before is not None and before.key == self.now.key:
                return
        self._telling = {}
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()

    async def _tell(self, now: Stamp, played: Played, seat: int | None) -> Told:
        run, before = self._shared.readers.run, self._told.get(seat)
        self._told[seat] = await run(tell, now, played, seat, before)
        return self._told[seat]


class Feeds:
    """The feeds of one process."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._feeds: dict[UUID, Feed] = {}
        self._poll = asyncio.create_task(self._polling())

    @contextlib.contextmanager
    def watching(self, game_id: UUID) -> Iterator[Feed]:
        """The game's feed, for as long as somebody watches."""
        feed = self._feeds.get(game_id)
        if feed is None:
            feed = self._feeds[game_id] = Feed(self._shared, game_id)
        feed.watchers += 1
        try:
            yield feed
        finally:
            feed.watchers -= 1
            if not feed.watchers:
                feed.close()
                self._feeds.pop(game_id, None)

    async def close(self) -> None:
        """End every feed."""
        self._poll.cancel()
        for feed in self._feeds.values():
            feed.close()
        await asyncio.gather(self._poll, return_exceptions=True)

    async def _polling(self) -> None:
        while True:
            await asyncio.sleep(POLL_S)
            watched = dict(self._feeds)
            if not watched:
                continue
            try:
                found = await self._shared.readers.run(stamps, list(watched))
            except Exception:
                log.warning("feeds_can_not_be_polled", exc_info=True)
                continue
            for game_id, feed in watched.items():
                feed.offer(found.get(game_id))


def _moment(game_id: UUID) -> tuple[Stamp, Played] | None:
    """The game's stamp, then the game, so that the stamp is never the newer one; None if gone."""
    while (now := stamp(game_id)) is not None:
        played = look_for_all(game_id)
        # Who sits where must be the same in both: it says whose view is whose.
        if now.players == tuple(seat.player_id for seat in played.seats):
            return now, played
    return None
