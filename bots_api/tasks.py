"""The tasks of remote bots: checks, calls of the sweep, mails; what follows a game; the sweep.

A task is an entry point like a view: it calls services, talks to the outside between their
transactions, and says what to wake.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from uuid import UUID

import structlog
from celery import shared_task
from django.core.mail import send_mail

from bots_api.agents import BotAgent
from bots_api.checks import checking
from bots_api.lines.line import WAKING_S, Line
from bots_api.queries.ends import Untold, untold
from bots_api.services import arrivals, calling, checks, notices, outage, outings, pull, traffic
from bots_api.services.calling import Called
from config.kit.egress.client import configured
from config.kit.hub import Hub
from config.kit.threads import Readers
from config.kit.wake import send, wake, woken
from games.agents import Host

log = structlog.get_logger(__name__)

CHECK = "bots.check"
CALL = "bots.call"
MAIL = "bots.mail"
TELL_END = "bots.tell_end"


@shared_task(name=CHECK)
def check(report_id: str) -> None:
    """Carry one check out, unless somebody is at it."""
    bot_id = checks.claim(int(report_id))
    if bot_id is not None:
        checks.close(int(report_id), asyncio.run(_carry_out(bot_id)))


@shared_task(name=CALL)
def call() -> None:
    """Call the bots that are due, side by side; wake another one if more wait."""
    woken(CALL)
    called = calling.claim()
    asyncio.run(_call(called))
    witnesses = outage.witnesses(called)
    asyncio.run(_call(witnesses))
    ours = outage.is_ours([*called, *witnesses])
    if ours:
        log.error("nobody_answers", bots=len(called), witnesses=len(witnesses))
    for one in called:
        calling.note(one, ours)
    if called and calling.due():
        wake(CALL)


@shared_task(name=MAIL)
def mail() -> None:
    """Send the notices that are due; one that fails is tried again in ten minutes."""
    woken(MAIL)
    for one in notices.claim():
        try:
            send_mail(one.subject, one.text, None, [one.address])
        except OSError:
            log.warning("notice_not_mailed", notice=one.notice_id, exc_info=True)
        else:
            notices.mailed(one.notice_id)


@shared_task(name=TELL_END)
def tell_end(game_id: str) -> None:
    """Tell the bots of a game that no driver ends how it ended."""
    asyncio.run(_tell(untold(UUID(game_id))))


def game_over(game_id: UUID) -> None:
    """Note what bots have played, have them told how it ended where nobody else does
    (`settings.GAME_LISTENERS`); safe to repeat."""
    outings.note(game_id)
    if untold(game_id):
        send(TELL_END, str(game_id))


def sweep() -> int:
    """Throw away old messages; check bots in; find checks that nobody is at, bots to call, notices
    to mail."""
    pull.sweep()
    traffic.sweep()
    arrivals.sweep()
    left = checks.waiting()
    for report_id in left:
        send(CHECK, str(report_id))
    calls, mails = calling.due(), notices.due()
    if calls:
        wake(CALL)
    if mails:
        wake(MAIL)
    return len(left) + calls + mails


async def _carry_out(bot_id: int) -> checks.Report:
    async with _host() as host:
        return await checking.carry_out(bot_id, host)


async def _call(called: Sequence[Called]) -> None:
    """A handshake each, with the patience of waking; a sound one is stored by the line."""
    if not called:
        return
    async with _host() as host:
        lines = [Line(one.bot_id, host.session, host.run_db) for one in called]
        await asyncio.gather(*(_hello(line) for line in lines))


async def _tell(ends: Sequence[Untold]) -> None:
    async with _host() as host:
        await asyncio.gather(*(_told(host, one) for one in ends))


async def _told(host: Host, one: Untold) -> None:
    """Whether it was heard is of no consequence, to the other bots neither."""
    agent = BotAgent(one.agent_ref, host)
    try:
        await agent.wake()
        await agent.end(one.end)
    except Exception:
        log.exception("end_not_told", bot=agent.bot_id)


async def _hello(line: Line) -> None:
    """What goes wrong here with one bot is none of the others' business."""
    try:
        await line.read()
        await line.revive(WAKING_S)
    except Exception:
        log.exception("bot_not_called", bot=line.bot_id)


@asynccontextmanager
async def _host() -> AsyncIterator[Host]:
    session, readers, hub = configured(), Readers(1), Hub()
    try:
        yield Host(session, readers.run, hub)
    finally:
        await session.close()
        await hub.close()
        await readers.close()
