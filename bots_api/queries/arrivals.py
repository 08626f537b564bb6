"""Bots whose entries wait to be checked in: which of them are there by now."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db.models import F, Q

from bots_api import queries
from bots_api.models import Bot
from config.kit import clock
from league.formats.checkin import Presence, is_absent, opens_at
from league.models import Competition, Entry

STANDING: Final = (Entry.State.ENTERED, Entry.State.WAITING)
State = Competition.State
# Check-in opens a day before at the most.
SOON: Final = timedelta(days=1)


class Expected(NamedTuple):
    """An entry of a bot that would be absent; `there`: the bot has shown itself since."""

    competition_id: int
    player_id: int
    bot_id: int
    there: bool


def expected() -> list[Expected]:
    """Entries that can be checked in now and are not."""
    now = clock.now()
    entries = Entry.objects.filter(
        checked_in_at=None,
        state__in=STANDING,
        player__bot__state__in=(Bot.State.ACTIVE, Bot.State.SUSPENDED),
        competition__state__in=(State.OPEN, State.RUNNING, State.PAUSED),
        competition__starts_at__lte=now + SOON,
        since__lt=F("competition__starts_at"),
    )
    # A start by hand before its time leaves nobody absent.
    drawn = Q(competition__started_at__gte=F("competition__starts_at"))
    entries = entries.filter(Q(competition__state=State.OPEN) | drawn)
    rows = entries.select_related("competition", "player__bot").order_by("pk")
    return [_expected(entry) for entry in rows if _waited_for(entry, now)]


def _waited_for(entry: Entry, now: datetime) -> bool:
    competition = entry.competition
    if competition.state != State.OPEN and _bot(entry).state != Bot.State.ACTIVE:
        # The stand-in plays for it anyway, until it is restored.
        return False
    minutes = competition.chosen.checkin_minutes
    drawn_at = competition.started_at or competition.starts_at or now
    opened = opens_at(competition.starts_at, minutes)
    presence = Presence(entry.since, None)
    absent = is_absent(presence, competition.starts_at, minutes, drawn_at)
    return absent and opened is not None and opened <= now


def _expected(entry: Entry) -> Expected:
    bot = _bot(entry)
    opened = opens_at(entry.competition.starts_at, entry.competition.chosen.checkin_minutes)
    return Expected(entry.competition_id, entry.player_id, bot.pk, _is_there(bot, opened))


def _is_there(bot: Bot, since: datetime | None) -> bool:
    """Connected now, or by an answer to a call since then."""
    if bot.transport == Bot.Transport.PULL:
        return not queries.is_away(bot)
    return bot.answered_at is not None and since is not None and bot.answered_at >= since


def _bot(entry: Entry) -> Bot:
    bot: Bot = entry.player.bot
    return bot
