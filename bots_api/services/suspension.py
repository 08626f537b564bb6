"""Suspended and restored: what happens to a bot that is not to be relied on.

Works inside the caller's transaction, under the bot's lock. A suspended bot keeps its entries and
the tables that it sits at; what begins meanwhile the stand-in plays.
"""

from __future__ import annotations

from typing import Final

from django.db.models.functions import Now

from bots_api.models import Bot, Notice, Outing
from bots_api.services import notices

IN_A_ROW: Final = 3
# A bot with many games at once may lose hundreds in one outage.
LOOK_BACK: Final = 500


def suspend(bot: Bot, reason: Bot.Reason) -> None:
    """Suspend an active bot; any other stays what it is."""
    changed = Bot.objects.filter(pk=bot.pk, state=Bot.State.ACTIVE).update(
        state=Bot.State.SUSPENDED, suspended_for=reason, passes=0
    )
    if changed:
        notices.tell(bot, Notice.Kind.SUSPENDED, {"reason": reason})


def restore(bot: Bot) -> None:
    """Let a suspended bot play again; what it lost before no longer counts."""
    changed = Bot.objects.filter(pk=bot.pk, state=Bot.State.SUSPENDED).update(
        state=Bot.State.ACTIVE, suspended_for="", misses=0, passes=0, clean_since=Now()
    )
    if changed:
        notices.tell(bot, Notice.Kind.RESTORED, {})


def lost_in_a_row(bot: Bot) -> int:
    """How often in a row the stand-in had to end its games: all games of one outage count once,
    and none in which a bot that connects out was away."""
    outings = Outing.objects.filter(bot=bot, sparring=False, at__gte=bot.clean_since)
    outages = set()
    for outing in outings.order_by("-pk")[:LOOK_BACK]:
        if not outing.stand_in:
            break
        if outing.outage is not None:
            outages.add(outing.outage)
    return len(outages)
