"""The sweep's calls: which bots are due for one, and what follows from how it went.

A row's `call_at` is its due time; whoever claims it pushes that on, calls outside any transaction,
and notes the outcome here. Bots that connect out are never called: they are away or they are not.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from bots_api.models import Bot
from bots_api.queries import entered
from bots_api.services import suspension
from config.kit import clock

AT_ONCE: Final = 32
# Longer than a call takes; then somebody else may.
LEASE: Final = timedelta(seconds=60)
# A bot that is needed within a day, and any other.
OFTEN: Final = timedelta(minutes=5)
SELDOM: Final = timedelta(days=1)
# After a call that changed the picture, for a bot that is needed.
AGAIN: Final = timedelta(minutes=1)
MISSES, PASSES = 3, 2
WEBHOOK: Final = Bot.Transport.WEBHOOK
STATES: Final = (Bot.State.ACTIVE, Bot.State.SUSPENDED)


class Called(NamedTuple):
    """A bot that is to be called where, and when that began, by the database's clock."""

    bot_id: int
    began: datetime
    url: str

    @property
    def host(self) -> str:
        """The machine, as far as a URL tells."""
        return urlsplit(self.url).hostname or ""


def call_of(bot: Bot, began: datetime) -> Called:
    """A call to a bot as it is now."""
    return Called(bot.pk, began, bot.url)


def due() -> bool:
    """Whether any bot waits to be called."""
    return callable_now().filter(call_at__lte=Now()).exists()


def claim() -> list[Called]:
    """Bots to call now; nobody else gets them for a minute."""
    with transaction.atomic(durable=True):
        waiting = callable_now().filter(call_at__lte=Now()).order_by("call_at", "pk")
        bots = list(waiting.select_for_update(skip_locked=True)[:AT_ONCE])
        Bot.objects.filter(pk__in=[bot.pk for bot in bots]).update(call_at=Now() + LEASE)
        began = clock.now()
        return [call_of(bot, began) for bot in bots]


def note(called: Called, ours: bool = False) -> None:
    """What follows from a call: it passed if a sound handshake was stored since it began.

    Three missed in a row suspend, two passed in a row restore; what was missed because nothing
    of `ours` gets out counts for nothing.
    """
    with transaction.atomic(durable=True):
        rows = Bot.objects.select_for_update(no_key=True, of=["self"])
        bot = rows.select_related("player__owner__user").get(pk=called.bot_id)
        if bot.state not in STATES or (bot.transport, bot.url) != (WEBHOOK, called.url):
            # Moved meanwhile: the call says nothing of where it is now.
            return
        if bot.answered_at is not None and bot.answered_at >= called.began:
            bot.misses, bot.passes = 0, bot.passes + 1
        elif not ours:
            bot.misses, bot.passes = bot.misses + 1, 0
        bot.call_at = clock.now() + (AGAIN if ours else _pause(bot))
        bot.save(update_fields=["misses", "passes", "call_at"])
        if bot.misses >= MISSES:
            suspension.suspend(bot, Bot.Reason.SILENCE)
        elif bot.passes >= PASSES and bot.suspended_for == Bot.Reason.SILENCE:
            suspension.restore(bot)


def _pause(bot: Bot) -> timedelta:
    needed_in = entered.needed_in(bot.player_id)
    if needed_in is None or needed_in > SELDOM:
        calm = SELDOM if needed_in is None else min(SELDOM, needed_in - SELDOM)
        return AGAIN if bot.state == Bot.State.SUSPENDED and bot.passes == 1 else calm
    return OFTEN if bot.misses == 0 and bot.state == Bot.State.ACTIVE else AGAIN


def callable_now() -> QuerySet[Bot]:
    """Bots that the sweep calls at all."""
    return Bot.objects.filter(state__in=STATES, transport=WEBHOOK)
