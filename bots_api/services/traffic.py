"""Telling the other processes what this one has under way at bots, for all to see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models.functions import Now

from bots_api.models import Traffic
from config.kit.clock import ClockTimestamp

FORGOTTEN: Final = timedelta(minutes=1)


def tell(process: str, turns: Mapping[int, Sequence[int]]) -> None:
    """Store [out, waiting] by bot in place of what this process told before; nothing ends it."""
    with transaction.atomic(durable=True):
        if not turns:
            Traffic.objects.filter(process=process).delete()
            return
        told = {str(bot): list(counts) for bot, counts in turns.items()}
        row = {"at": ClockTimestamp(), "turns": told}
        Traffic.objects.update_or_create(process=process, defaults=row)


def sweep() -> None:
    """Throw away what processes that are gone have told."""
    with transaction.atomic(durable=True):
        Traffic.objects.filter(at__lt=Now() - FORGOTTEN).delete()
