"""Whose fault it is when nobody answers the sweep: the bots', or that of our own way out.

A bot alone may be dead. Bots at several hosts that all answered lately and are silent in the same
minute are not: then nothing is counted against any of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from django.db.models import QuerySet
from django.db.models.functions import Now

from bots_api.models import Bot
from bots_api.services.calling import Called, call_of, callable_now
from config.kit import clock

# Bots that are not needed are called once a day: so long ago an answer still means something.
LATELY: Final = timedelta(days=2)
WITNESSES: Final = 3
LOOKED_AT: Final = 50


def witnesses(calls: Sequence[Called]) -> list[Called]:
    """Bots at other hosts to be called too, if all of these were silent; none else."""
    if not calls or _heard(calls):
        return []
    hosts, found = {one.host for one in calls}, []
    mine = [one.bot_id for one in calls]
    sound = _sound().exclude(pk__in=mine).order_by("-answered_at", "pk")[:LOOKED_AT]
    began = clock.now()
    for other in (call_of(bot, began) for bot in sound):
        if other.host not in hosts:
            hosts.add(other.host)
            found.append(other)
    return found[:WITNESSES]


def is_ours(calls: Sequence[Called]) -> bool:
    """Whether all of these are silent though bots at two hosts or more answered lately."""
    if not calls or _heard(calls):
        return False
    sound = set(_sound().filter(pk__in=[one.bot_id for one in calls]).values_list("pk", flat=True))
    return len({one.host for one in calls if one.bot_id in sound}) > 1


def _heard(calls: Sequence[Called]) -> bool:
    answered = dict(
        Bot.objects.filter(pk__in=[one.bot_id for one in calls]).values_list("pk", "answered_at")
    )
    return any((at := answered.get(one.bot_id)) is not None and at >= one.began for one in calls)


def _sound() -> QuerySet[Bot]:
    """Bots that answered their last call, not long ago."""
    lately = callable_now().filter(state=Bot.State.ACTIVE, misses=0)
    return lately.filter(answered_at__gt=Now() - LATELY)
