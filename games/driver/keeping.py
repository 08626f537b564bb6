"""Keeping leases alive while their holder waits for somebody else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from uuid import UUID

from django.db.models import QuerySet

from config.kit import leases
from games.driver.commits import DatabaseThread
from games.models import Game

RENEW_SECONDS = 3.0


@asynccontextmanager
async def renewing(
    database: DatabaseThread, rows: QuerySet[Game], owner: str, held: Collection[UUID]
) -> AsyncIterator[None]:
    """Renew the leases of `held` (read anew each time) every three seconds in the block.

    A renewal that fails lets the leases run out, and the commits of their games are refused.
    """

    async def renew() -> None:
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            if held:
                await database.run(leases.renew, rows, owner, list(held))

    renewal = asyncio.create_task(renew())
    try:
        yield
    finally:
        renewal.cancel()
