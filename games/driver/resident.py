"""The event loop that stays: one per worker process, made after the fork, with its HTTP session.

Owns slices and leases. A slice takes games until its time is up, lets every game finish the
decision it is in, and gives the rest back.
"""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from uuid import UUID

import structlog
from django.db import InterfaceError, OperationalError

from config.kit import leases
from config.kit.egress.client import configured
from config.kit.hub import Hub
from games.agents import Agents, Host
from games.driver.commits import DatabaseThread, Grouped
from games.driver.evented import answer
from games.driver.keeping import renewing
from games.driver.loading import Claimed, begin, claim, driven
from games.driver.play import Lost, Places, Stage, play, tell_end
from games.services.moves import commit_driven
from games.services.progress import Progress

log = structlog.get_logger(__name__)

SLICE_SECONDS = 15.0
# A task gives its process back so soon after its time is up, although a bot may still think.
LINGER_SECONDS = 1.0
GAMES_AT_ONCE = 512
# So many are claimed in one go, and more after a breath: other workers get their share.
CLAIMED_AT_ONCE = 64
BREATH_SECONDS = 0.1
IDLE_SECONDS = 0.5
# As long as a lease lives; then it is free by itself.
TRIES_TO_LET_GO = 20
DATABASE_IS_OUT = (OperationalError, InterfaceError)
# New objects that are alive at once before the collector looks at them.
GARBAGE_EVERY = 50_000

Ended = Callable[[UUID], None]


class Resident:
    """A thread with an event loop, and what all slices in this process share."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, name="driver", daemon=True)
        self.thread.start()
        self._stage: Stage | None = None
        self._running: set[asyncio.Task[int]] = set()

    def run_slice(
        self, ended: Ended, seconds: float = SLICE_SECONDS, at_once: int = GAMES_AT_ONCE
    ) -> int:
        """Play driven games for about `seconds`; returns how many it did not finish.

        A game whose bot still thinks is held on to beside what this process does next: slow bots
        must not keep it from everybody else's games.
        `ended(game_id)` is called in a database thread after the commit that ended a game.
        """
        run = self._slice(ended, seconds, at_once)
        return asyncio.run_coroutine_threadsafe(run, self.loop).result()

    def answer_evented(self, game_id: UUID) -> Progress:
        """Ask the agents that are to act at a table of people, and commit what they say."""

        async def asking() -> Progress:
            return await answer(await self.stage(), game_id)

        return asyncio.run_coroutine_threadsafe(asking(), self.loop).result()

    def close(self) -> None:
        """Close the HTTP session and end the loop; only tests outlive their driver."""
        asyncio.run_coroutine_threadsafe(self._close(), self.loop).result()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    async def stage(self) -> Stage:
        """The shared parts, made inside the loop when first needed."""
        if self._stage is None:
            database = self.database = DatabaseThread("database")
            # Moves wait for nothing else: they have a thread and a connection of their own.
            self.committing = DatabaseThread("commits")
            self.session = configured()
            self.hub = Hub()
            host = Host(session=self.session, run_db=database.run, hub=self.hub)
            self._stage = Stage(
                Agents(host),
                Grouped(self.committing, commit_driven),
                Grouped(database, begin),
                database,
            )
        return self._stage

    async def _close(self) -> None:
        await asyncio.gather(*self._running)
        if self._stage is not None:
            await self.session.close()
            await self.hub.close()
            await self.committing.close()
            await self.database.close()

    async def _slice(self, ended: Ended, seconds: float, at_once: int) -> int:
        shared = await self.stage()
        held = Slice(replace(shared, stopping=asyncio.Event()), ended, at_once)
        run = asyncio.create_task(held.run(seconds))
        self._running.add(run)
        run.add_done_callback(self._running.discard)
        await asyncio.wait({run}, timeout=seconds + LINGER_SECONDS)
        return run.result() if run.done() else held.given_back + len(held.playing)


class Slice:
    """The games that one task holds, and their leases."""

    def __init__(self, stage: Stage, ended: Ended, at_once: int) -> None:
        self.stage = stage
        self.ended = ended
        self.at_once = at_once
        self.owner = leases.new_owner()
        self.playing: dict[UUID, asyncio.Task[None]] = {}
        self.told: set[asyncio.Task[None]] = set()
        self.given_back = 0
        self.releasing = Grouped(stage.database, self._release)

    async def run(self, seconds: float) -> int:
        """Claim and play until the time is up or nothing is due."""
        loop = asyncio.get_running_loop()
        stop_at = loop.time() + seconds
        async with renewing(self.stage.database, driven(), self.owner, self.playing):
            while loop.time() < stop_at:
                claimed = await self._claim()
                if not claimed and not self.playing:
                    break
                pause = BREATH_SECONDS if claimed == CLAIMED_AT_ONCE else IDLE_SECONDS
                await self._wait(min(pause, stop_at - loop.time()))
            self.stage.stopping.set()
            await self._wait(None)
        if self.told:
            await asyncio.wait(self.told, timeout=5)
        return self.given_back

    async def _claim(self) -> int:
        room = min(CLAIMED_AT_ONCE, self.at_once - len(self.playing))
        try:
            claimed = await self.stage.database.run(claim, self.owner, room) if room else []
        except DATABASE_IS_OUT:
            # The games that are held need this slice to go on when it is back.
            log.warning("claim_failed", owner=self.owner, exc_info=True)
            return 0
        for game in claimed:
            self.playing[game.game_id] = asyncio.create_task(self._play(game))
        return len(claimed)

    async def _wait(self, seconds: float | None) -> None:
        """Wait until a game leaves or the time is up; with None until all have left."""
        if self.playing:
            when = asyncio.ALL_COMPLETED if seconds is None else asyncio.FIRST_COMPLETED
            await asyncio.wait(list(self.playing.values()), timeout=seconds, return_when=when)

    async def _play(self, claimed: Claimed) -> None:
        try:
            places = await play(self.stage, claimed)
            if places is None:
                self.given_back += 1
                await self.releasing.put(claimed.game_id)
            else:
                await self._end(claimed, places)
        except Lost:
            log.info("game_lost_to_another_owner", game=str(claimed.game_id))
        except DATABASE_IS_OUT:
            log.warning("driven_game_put_off", game=str(claimed.game_id), exc_info=True)
            await self._let_go(claimed.game_id)
        except Exception:
            # The lease runs out and the row is claimed again; three times without progress
            # quarantine it.
            log.exception("driven_game_failed", game=str(claimed.game_id))
        finally:
            self.playing.pop(claimed.game_id, None)

    async def _let_go(self, game_id: UUID) -> None:
        """Give a game back as soon as the database hears it: nobody need wait for its lease."""
        self.given_back += 1
        for _ in range(TRIES_TO_LET_GO):
            await asyncio.sleep(IDLE_SECONDS)
            try:
                await self.releasing.put(game_id)
            except DATABASE_IS_OUT:
                continue
            return

    async def _end(self, claimed: Claimed, places: Places) -> None:
        await self.stage.database.run(self.ended, claimed.game_id)
        telling = asyncio.create_task(tell_end(self.stage, claimed, places))
        self.told.add(telling)
        telling.add_done_callback(self.told.discard)

    def _release(self, game_ids: Sequence[UUID]) -> list[None]:
        leases.release(driven(), self.owner, list(game_ids))
        return [None for _ in game_ids]


@cache
def resident() -> Resident:
    """This process's driver; call it only after the fork."""
    spare_collector()
    return Resident()


def spare_collector() -> None:
    """Have Python look for garbage less often, and not among what is loaded already.

    Calls and turns leave no cycles behind, yet with the usual threshold the search took a fifth
    of the loop's time (`manage.py bench bots`).
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_EVERY, 20, 20)
