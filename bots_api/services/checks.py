"""Checks of bots as rows: asked for, claimed by one task, closed with a report."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from bots_api import queries
from bots_api.errors import BotStateError, CheckLimitError, CheckRunningError, OpenChecksError
from bots_api.models import Bot, CheckReport
from bots_api.services import suspension
from config.kit import receipts
from games.models import Player

State = CheckReport.State
AN_HOUR: Final = timedelta(hours=1)
CHECKS_AN_HOUR: Final = 20
OPEN_CHECKS: Final = 3
# Longer than any check takes: waking, 15 questions, each within its deadline.
LEASE: Final = timedelta(seconds=120)
MAX_ATTEMPTS: Final = 3
OUR_FAULT: Final = {
    "step": "service",
    "verdict": "failed",
    "detail": "The service could not carry it out. Ask for a new check.",
}


class Report(NamedTuple):
    """What a check has found."""

    passed: bool
    steps: Sequence[dict[str, Any]]
    p50_ms: float | None
    p95_ms: float | None


def ask(bot_id: int, owner_id: int, receipt: receipts.Draft | None = None) -> CheckReport:
    """Ask for a check of one's bot.

    Raises `CheckRunningError`, `OpenChecksError`, `CheckLimitError`, `BotStateError`,
    `BotNotFoundError`, `NotYourBotError`.
    """
    bot = queries.owned(bot_id, owner_id)
    if bot.state == Bot.State.RETIRED:
        raise BotStateError("The bot is retired.", state=bot.state)
    with transaction.atomic(durable=True):
        # The owner's row: two requests can't both be the last of the hour.
        Player.objects.select_for_update().get(pk=owner_id)
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return CheckReport.objects.get(pk=outcome["check"])
        _refuse_too_many(bot_id, owner_id)
        report = CheckReport.objects.create(bot=bot)
        receipts.keep(receipt, {"check": report.pk})
        return report


def claim(report_id: int) -> int | None:
    """Take a waiting check; the bot's id, None if it is done or somebody is at it.

    One that nobody could finish is closed as failed.
    """
    with transaction.atomic(durable=True):
        rows = _claimable().filter(pk=report_id).select_for_update()
        report = rows.first()
        if report is None:
            return None
        if report.attempts >= MAX_ATTEMPTS:
            _close(report_id, Report(False, [OUR_FAULT], None, None))
            return None
        CheckReport.objects.filter(pk=report_id).update(
            lease_until=Now() + LEASE, attempts=F("attempts") + 1
        )
        return report.bot_id


def close(report_id: int, report: Report) -> None:
    """Store what was found, with the version that answered."""
    with transaction.atomic(durable=True):
        _close(report_id, report)


def waiting() -> list[int]:
    """Checks that nobody is at."""
    return list(_claimable().order_by("pk").values_list("pk", flat=True)[:100])


def _claimable() -> QuerySet[CheckReport]:
    free = Q(lease_until=None) | Q(lease_until__lt=Now())
    return CheckReport.objects.filter(free, state=State.WAITING)


def _close(report_id: int, report: Report) -> None:
    """A passed check also brings back a bot that was suspended."""
    row = CheckReport.objects.select_related("bot__player__owner__user").get(pk=report_id)
    if report.passed:
        suspension.restore(row.bot)
    CheckReport.objects.filter(pk=report_id, state=State.WAITING).update(
        state=State.PASSED if report.passed else State.FAILED,
        version=row.bot.version_id,
        steps=list(report.steps),
        p50_ms=report.p50_ms,
        p95_ms=report.p95_ms,
        finished_at=Now(),
        lease_until=None,
    )


def _refuse_too_many(bot_id: int, owner_id: int) -> None:
    _refuse_running(bot_id)
    mine = CheckReport.objects.filter(bot__player__owner=owner_id)
    waiting = mine.filter(state=State.WAITING)
    if waiting.count() >= OPEN_CHECKS:
        oldest = waiting.order_by("pk")[0].created_at
        raise OpenChecksError(
            f"At most {OPEN_CHECKS} bots of one owner are checked at once.",
            OPEN_CHECKS,
            oldest + LEASE,
        )
    lately = mine.filter(created_at__gt=Now() - AN_HOUR).order_by("created_at")
    if lately.count() >= CHECKS_AN_HOUR:
        raise CheckLimitError(
            f"One owner has at most {CHECKS_AN_HOUR} checks an hour.",
            CHECKS_AN_HOUR,
            lately[0].created_at + AN_HOUR,
        )


def _refuse_running(bot_id: int) -> None:
    running = CheckReport.objects.filter(bot=bot_id, state=State.WAITING).first()
    if running is not None:
        raise CheckRunningError("The bot is being checked.", check=running.pk)
