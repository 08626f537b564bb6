"""The turns that a bot takes at once, over all processes: a slot is held while it is asked.

A process keeps the slots that it uses and shares them out here, without the database; once a
second it looks whether another one waits, and gives up what is more than its share. Waiting for a
slot is on nobody's clock. The locks themselves are `services.slots`'.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
import weakref
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Any, Final, TypeVar

import structlog
from django.db import Error

from bots_api.services import slots as locks
from bots_api.services import traffic
from config.kit import leases

log = structlog.get_logger(__name__)
RunDb = Callable[..., Awaitable[Any]]
Done = TypeVar("Done")

# How often whoever waits asks again, and whoever holds looks whether somebody waits.
ASK_S: Final = 0.05
LOOK_S: Final = 1.0
# What is not used for so long goes back, whether anybody waits or not.
IDLE_S: Final = 5.0
# Who gave one up to others does not take it again before they have asked.
STAND_BACK_S: Final = 3 * ASK_S


class Slots:
    """The slots of one bot in this process: `async with slots:` around each turn."""

    def __init__(self, bot_id: int, keeper: Keeper) -> None:
        self.bot_id = bot_id
        self.width = 1
        self._keeper = keeper
        self._held: list[int] = []
        self._used = 0
        self._waiting = 0
        self._noted = False
        self._session = 0
        # When it was last seen that the session lives, and with it what is held.
        self._sure_at = 0.0
        # Slots to give back as soon as their turns are over.
        self._owed = 0
        self._used_at = time.monotonic()
        self._back_at = 0.0
        # The first who waits asks the database, the others stand behind him.
        self._door = asyncio.Lock()
        self._freed = asyncio.Event()

    async def __aenter__(self) -> float:
        """Wait for a slot; how many milliseconds that took."""
        if not self._door.locked() and self._take():
            return 0.0
        began = time.monotonic()
        self._waiting += 1
        try:
            async with self._door:
                while not self._take():
                    await self._more()
        finally:
            self._waiting -= 1
        return (time.monotonic() - began) * 1000

    async def __aexit__(self, *failure: object) -> None:
        """Let the next one have it, here or elsewhere."""
        self._used -= 1
        self._used_at = time.monotonic()
        if self._owed:
            self._keeper.spawn(self._pay())
        self._freed.set()

    @property
    def turns(self) -> tuple[int, int]:
        """How many turns are out at the bot, and how many wait."""
        return self._used, self._waiting

    @contextlib.contextmanager
    def queued(self) -> Iterator[None]:
        """Count a turn as waiting though others judge when there is room for it."""
        self._keeper.watch(self)
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    @property
    def idle(self) -> bool:
        """Whether this process neither holds nor wants any."""
        return not self._held and not self._noted and not self._waiting

    async def share(self, session: int, waiting: int) -> None:
        """Give back what lies idle, and what is more than the share of one among those who wait."""
        self._belongs_to(session)
        if self._noted and not self._waiting:
            self._noted = False
            await self._keeper.run_db(locks.satisfied, self.bot_id)
        unused = len(self._held) - self._used
        if waiting:
            fair = self.width // (waiting + 1)
            self._owed = max(unused, len(self._held) - fair)
            self._back_at = time.monotonic() + STAND_BACK_S if self._owed else 0.0
        elif time.monotonic() - self._used_at > IDLE_S:
            self._owed = unused
        self._owed = max(self._owed, self._excess)
        await self._pay()

    @property
    def _excess(self) -> int:
        """Slots from before the bot took fewer: they keep no other process out, so none is used."""
        if not self._held or max(self._held) <= self.width:
            return 0
        return sum(slot > self.width for slot in self._held)

    def _take(self) -> bool:
        if self._used >= min(len(self._held) - max(self._owed, self._excess), self.width):
            return False
        if time.monotonic() - self._sure_at > locks.SILENT_S:
            return False
        self._used += 1
        self._used_at = time.monotonic()
        return True

    async def _pay(self) -> None:
        """Give back what is owed, as far as it is not in use; the highest numbers first."""
        count = min(self._owed, len(self._held) - self._used)
        if count > 0:
            self._owed -= count
            self._held.sort()
            given, self._held = self._held[-count:], self._held[:-count]
            await self._keeper.run_db(locks.give_back, self.bot_id, given)

    def _belongs_to(self, session: int) -> None:
        """After a new connection: what was held went with the old one."""
        self._sure_at = time.monotonic()
        if session != self._session:
            self._session, self._held, self._owed = session, [], 0

    async def _more(self) -> None:
        """One more slot of the database's, or one that is given back here."""
        self._freed.clear()
        rest_s = self._back_at - time.monotonic()
        may_claim = rest_s <= 0 and len(self._held) - self._excess < self.width
        # Whoever waits may be called off; a slot that is claimed meanwhile must not be forgotten.
        if may_claim and await asyncio.shield(self._keeper.spawn(self._claim())):
            return
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._freed.wait(), max(ASK_S, rest_s))

    async def _claim(self) -> bool:
        self._keeper.watch(self)
        run_db, held = self._keeper.run_db, list(self._held)
        found = await run_db(locks.claim, self.bot_id, self.width, held, self._waiting)
        self._belongs_to(found.session)
        self._held += found.slots
        self._noted = self._noted or not found.slots
        return bool(found.slots)


class Keeper:
    """All slots of one process and one connection, and the look at who else waits."""

    def __init__(self, run_db: RunDb) -> None:
        self.run_db = run_db
        self._slots: dict[int, Slots] = {}
        self._active: set[Slots] = set()
        self._looking: asyncio.Task[None] | None = None
        self._deeds: set[asyncio.Task[Any]] = set()
        self._process = leases.new_owner()
        self._told = False

    def of(self, bot_id: int) -> Slots:
        """The slots of a bot."""
        if bot_id not in self._slots:
            self._slots[bot_id] = Slots(bot_id, self)
        return self._slots[bot_id]

    def watch(self, slots: Slots) -> None:
        """Look after these as long as they hold something."""
        self._active.add(slots)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())

    def spawn(self, deed: Coroutine[Any, Any, Done]) -> asyncio.Task[Done]:
        """Have slots claimed or given back beside what goes on."""
        task = asyncio.create_task(deed)
        self._deeds.add(task)
        task.add_done_callback(self._deeds.discard)
        return task

    async def close(self) -> None:
        """Stop looking; the connection's end gives everything back."""
        tasks = [*self._deeds, *([self._looking] if self._looking is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _look(self) -> None:
        while self._active:
            await asyncio.sleep(LOOK_S)
            try:
                await self._share()
                await self._tell()
            except Error:
                log.warning("slots_not_shared", exc_info=True)

    async def _share(self) -> None:
        session, waiting = await self.run_db(locks.wanted)
        await asyncio.gather(
            *(one.share(session, waiting.get(one.bot_id, 0)) for one in self._active)
        )
        self._active = {one for one in self._active if not one.idle}
        if not self._active:
            await self.run_db(locks.rest)

    async def _tell(self) -> None:
        """Tell what is under way here, as long as something is."""
        turns = {one.bot_id: one.turns for one in self._active if any(one.turns)}
        if turns or self._told:
            self._told = bool(turns)
            await self.run_db(traffic.tell, self._process, turns)


_keepers: weakref.WeakKeyDictionary[Any, Keeper] = weakref.WeakKeyDictionary()


def keeper_of(egress: Any, run_db: RunDb) -> Keeper:
    """The keeper that goes with this client's loop; closed with it."""
    if egress not in _keepers:
        _keepers[egress] = keeper = Keeper(run_db)
        egress.before_close(keeper.close)
    return _keepers[egress]
