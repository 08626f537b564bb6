"""The tasks of remote bots: checks that were asked for; and what the sweep looks after."""

from __future__ import annotations

import asyncio

from celery import shared_task

from bots_api import checking
from bots_api.services import checks, pull
from config.kit.egress.client import configured
from config.kit.hub import Hub
from config.kit.threads import Readers
from config.kit.wake import send
from games.agents import Host

CHECK = "bots.check"


@shared_task(name=CHECK)
def check(report_id: str) -> None:
    """Carry one check out, unless somebody is at it."""
    bot_id = checks.claim(int(report_id))
    if bot_id is not None:
        checks.close(int(report_id), asyncio.run(_carry_out(bot_id)))


def sweep() -> int:
    """Throw away old messages; find checks that nobody is at."""
    pull.sweep()
    left = checks.waiting()
    for report_id in left:
        send(CHECK, str(report_id))
    return len(left)


async def _carry_out(bot_id: int) -> checks.Report:
    session, readers, hub = configured(), Readers(1), Hub()
    try:
        return await checking.carry_out(bot_id, Host(session, readers.run, hub))
    finally:
        await session.close()
        await hub.close()
        await readers.close()
