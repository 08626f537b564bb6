"""Versions of bots: which one counts in a competition, which one answers, how each has done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db.models import Count, Q, QuerySet

from bots_api import pace
from bots_api.errors import VersionNotFoundError
from bots_api.models import Bot, BotVersion, CheckReport, Fault, Outing, Pace
from league.models import Entry


class Figures(NamedTuple):
    """How a version (or all of a bot) has done. Times are None until something was answered."""

    games: int
    stand_ins: int
    faults: int
    answers: int
    p50_ms: float | None
    p95_ms: float | None
    counts: list[int]


def of_bot(bot_id: int) -> QuerySet[BotVersion]:
    """All versions that a bot has announced."""
    return BotVersion.objects.filter(bot=bot_id)


def named(bot_id: int, version: str) -> BotVersion:
    """One of them by its string. Raises `VersionNotFoundError`."""
    found = of_bot(bot_id).filter(version=version).first()
    if found is None:
        raise VersionNotFoundError("The bot has never announced that version.")
    return found


def passed(version_ids: list[int]) -> set[int]:
    """Which of these have passed a check."""
    reports = CheckReport.objects.filter(version__in=version_ids, state=CheckReport.State.PASSED)
    return {pk for pk in reports.values_list("version", flat=True) if pk is not None}


def to_freeze(bot: Bot) -> str | None:
    """The version that counts when entries close: the one that answers now if it has passed the
    check, else the newest that has."""
    known = list(of_bot(bot.pk).order_by("-pk").values_list("pk", "version"))
    sound = passed([pk for pk, _ in known])
    ordered = sorted(known, key=lambda row: row[0] != bot.version_id)
    return next((version for pk, version in ordered if pk in sound), None)


def wanted(bot_id: int, competition_id: int) -> str:
    """The version that the bot's entry is bound to; "" if to none."""
    entries = Entry.objects.filter(competition=competition_id, player__bot=bot_id)
    return entries.values_list("version", flat=True).first() or ""


def announced(bot_id: int) -> BotVersion | None:
    """What the bot has called itself last."""
    bot = Bot.objects.select_related("version").filter(pk=bot_id).first()
    return bot.version if bot is not None else None


def figures(version_ids: list[int]) -> dict[int, Figures]:
    """The figures of each of these versions: three queries for any number."""
    outings: dict[int | None, Mapping[str, Any]] = {
        row["version"]: row
        for row in Outing.objects.filter(version__in=version_ids)
        .values("version")
        .annotate(games=Count("pk"), stand_ins=Count("pk", filter=Q(stand_in=True)))
    }
    faults = dict(
        Fault.objects.filter(version__in=version_ids)
        .values_list("version")
        .annotate(count=Count("pk"))
    )
    counts = dict(Pace.objects.filter(version__in=version_ids).values_list("version", "counts"))
    return {
        pk: _figures(outings.get(pk, {}), faults.get(pk, 0), counts.get(pk, pace.nothing()))
        for pk in version_ids
    }


def total(bot_id: int) -> Figures:
    """All versions together, and the games in which it never said which one it was."""
    outings = Outing.objects.filter(bot=bot_id).aggregate(
        games=Count("pk"), stand_ins=Count("pk", filter=Q(stand_in=True))
    )
    faults = Fault.objects.filter(bot=bot_id).count()
    counts = pace.nothing()
    for row in Pace.objects.filter(version__bot=bot_id).values_list("counts", flat=True):
        counts = pace.added(counts, row)
    return _figures(outings, faults, counts)


def _figures(outings: Mapping[str, Any], faults: int, counts: list[int]) -> Figures:
    return Figures(
        games=outings.get("games", 0),
        stand_ins=outings.get("stand_ins", 0),
        faults=faults,
        answers=sum(counts),
        p50_ms=pace.percentile(counts, 0.5),
        p95_ms=pace.percentile(counts, 0.95),
        counts=counts,
    )
