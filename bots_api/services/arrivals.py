"""Check-in of bots: an answer to a call or an open connection counts, nobody has to do anything.

When it opens a bot is called at once, and then as often as any that is needed soon, also while the
stand-in plays for it. What follows from being absent is the league's.
"""

from __future__ import annotations

from collections.abc import Iterable

import structlog
from django.db import transaction
from django.db.models.functions import Now

from bots_api.models import Bot
from bots_api.queries.arrivals import Expected, expected
from bots_api.services.calling import AGAIN
from config.kit.errors import ServiceError
from league.services import checkin
from league.services.checkin import By

log = structlog.get_logger(__name__)


def sweep() -> int:
    """Check in who is there, have the others called; how many entries were waited for."""
    waited = expected()
    _call(one.bot_id for one in waited if not one.there)
    for one in waited:
        if one.there:
            _check_in(one)
    return len(waited)


def _check_in(one: Expected) -> None:
    try:
        checkin.check_in(one.competition_id, one.player_id, By.CALL)
    except ServiceError as refusal:
        # Withdrawn or over meanwhile.
        log.info("not_checked_in", player=one.player_id, code=refusal.code)


def _call(bot_ids: Iterable[int]) -> None:
    """Unless they are called within the next minute anyway."""
    with transaction.atomic(durable=True):
        later = Bot.objects.filter(pk__in=list(bot_ids), call_at__gt=Now() + AGAIN)
        later.update(call_at=Now())
