"""Keeping leases alive while their holder waits for somebody else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from uuid import UUID

import structlog
from django.db import DatabaseError
from django.db.models import QuerySet

from config.kit import leases
from games.driver.commits import DatabaseThread
from games.models import Game

log = structlog.get_logger(__name__)

RENEW_SECONDS = 3.0


@asynccontextmanager
async def renewing(
    database: DatabaseThread, rows: QuerySet[Game], owner: str, held: Collection[UUID]
) -> AsyncIterator[None]:
    """Renew the leases of `held` (read anew each time) every three seconds in the block.

    A renewal that fails is tried again; once a lease has run out its commits are refused.
    """

    async def renew() -> None:
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            try:
                if held:
                    await database.run(leases.renew, rows, owner, list(held))
            except DatabaseError:
                log.warning("renewal_failed", owner=owner, exc_info=True)

    renewal = asyncio.create_task(renew())
    try:
        yield
    finally:
        renewal.cancel()
