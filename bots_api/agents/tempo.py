"""How quickly a bot answers: gathered in memory, stored every few seconds.

An answer counts as sound once the rules have taken it, which shows at the seat's next decision.
What a killed process had not stored is lost: these are statistics.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any, Final
from uuid import UUID

import structlog
from django.db import DatabaseError

from bots_api import pace
from bots_api.services import heard
from games.agents import Answer, Turn

log = structlog.get_logger(__name__)
RunDb = Callable[..., Awaitable[Any]]
STORED_EVERY_S: Final = 2.0


class Tempo:
    """The answers of one bot in this process."""

    def __init__(self, bot_id: int, run_db: RunDb) -> None:
        self._bot_id = bot_id
        self._run_db = run_db
        # By game and seat: the time of an answer that the rules may still refuse, and when it came.
        self._open: dict[tuple[UUID, int], tuple[int, float]] = {}
        self._times: list[int] = []
        self._last = 0.0
        self._stored_at = float("-inf")

    def answered(self, turn: Turn, answer: Answer) -> None:
        """Take an answer in, if it is one."""
        if answer.action is not None:
            took_ms = answer.spent_ms if answer.took_ms is None else answer.took_ms
            self._open[turn.game_id, turn.seat] = (took_ms, time.monotonic())

    def refused(self, turn: Turn) -> None:
        """The rules have refused that answer. Called in another thread."""
        self._open.pop((turn.game_id, turn.seat), None)

    def taken(self, game_id: UUID, seat: int) -> None:
        """The seat's last answer was not refused."""
        took_ms, at = self._open.pop((game_id, seat), (None, 0.0))
        if took_ms is not None:
            self._times.append(took_ms)
            self._last = max(self._last, at)

    async def store(self, now: bool = False) -> None:
        """Store what has gathered, if that was not done just before."""
        passed_s = time.monotonic() - self._stored_at
        if not self._times or (passed_s < STORED_EVERY_S and not now):
            return
        times, self._times, self._stored_at = self._times, [], time.monotonic()
        since_s = time.monotonic() - self._last
        try:
            await self._run_db(heard.answered, self._bot_id, pace.counted(times), since_s)
        except DatabaseError:
            log.warning("pace_not_stored", bot=self._bot_id, exc_info=True)
