"""How busy bots are at this moment: turns that are out, and turns that wait for room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from datetime import timedelta
from typing import Final, NamedTuple

from django.db.models import Count
from django.db.models.functions import Now

from bots_api.models import OpenTurn, Traffic
from config.kit.clock import ClockTimestamp

# Who has told nothing for so long is gone.
CURRENT: Final = timedelta(seconds=5)


class Queue(NamedTuple):
    """Turns at a bot: `out` are being asked, `waiting` are on nobody's clock."""

    out: int = 0
    waiting: int = 0


def queues(bot_ids: Collection[int]) -> dict[int, Queue]:
    """The queue of each of these bots: two queries for any number."""
    out, waiting = Counter(_pulled(bot_ids)), Counter[int]()
    current = Traffic.objects.filter(at__gt=Now() - CURRENT)
    for turns in current.values_list("turns", flat=True) if bot_ids else ():
        for bot_id, (asked, stand) in turns.items():
            out[int(bot_id)] += asked
            waiting[int(bot_id)] += stand
    return {bot_id: Queue(out[bot_id], waiting[bot_id]) for bot_id in bot_ids}


def _pulled(bot_ids: Collection[int]) -> dict[int, int]:
    """Open turns in the mailboxes of those that connect out."""
    turns = OpenTurn.objects.filter(
        bot__in=bot_ids, kind=OpenTurn.Kind.TURN, answered_at=None, closed_at=None
    )
    alive = turns.filter(deadline_at__gt=ClockTimestamp())
    return dict(alive.values_list("bot").annotate(count=Count("pk")))
