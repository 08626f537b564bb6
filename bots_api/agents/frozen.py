"""Whether a bot still is the version that its entry is bound to: another one is a fault.

Reads what the bot called itself in its newest handshake; waking it is for others.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from bots_api.models import BotVersion
from bots_api.models import Fault as FaultRow
from bots_api.queries import versions
from games.agents import Fault, Turn

RunDb = Callable[..., Awaitable[Any]]
# Within this time another version is noticed.
RELOAD_S: Final = 1.0
KEPT: Final = 1000


class Frozen:
    """One object for all seats of a bot in a process."""

    def __init__(self, bot_id: int, run_db: RunDb) -> None:
        self._bot_id = bot_id
        self._run_db = run_db
        # By competition: never changed once entries have closed, before which nobody plays.
        self._wanted: dict[str, str] = {}
        self._announced: BotVersion | None = None
        self._read_at = float("-inf")

    async def fault(self, turn: Turn) -> Fault | None:
        """The fault of being another version; None if it is the right one, or may be any."""
        wanted = await self._bound_to(turn.competition)
        if not wanted:
            return None
        now = await self._speaks()
        if now is None or now.version == wanted:
            return None
        evidence = {
            "detail": f"version {now.version} answers; entries closed with {wanted}",
            "frozen": wanted,
            "version": now.version,
            "handshake": now.handshake,
            "asked": {"type": "handshake"},
        }
        return Fault(FaultRow.Kind.VERSION_CHANGED.value, evidence)

    def forget(self) -> None:
        """Read anew what it calls itself, when that is next asked."""
        self._read_at = float("-inf")

    async def _bound_to(self, competition: str | None) -> str:
        if competition is None:
            return ""
        if competition not in self._wanted:
            if len(self._wanted) >= KEPT:
                self._wanted.clear()
            found = await self._run_db(versions.wanted, self._bot_id, int(competition))
            self._wanted[competition] = found
        return self._wanted[competition]

    async def _speaks(self) -> BotVersion | None:
        if time.monotonic() - self._read_at > RELOAD_S:
            self._announced = await self._run_db(versions.announced, self._bot_id)
            self._read_at = time.monotonic()
        return self._announced
