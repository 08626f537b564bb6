"""Signing secrets of a bot: one live, two while the owner moves from one to the other."""

from __future__ import annotations

from django.db import transaction
from django.db.models.functions import Now

from bots_api import queries, signing
from bots_api.models import Bot, Secret
from config.kit import receipts


def add(bot_id: int) -> str:
    """Make a secret in the caller's transaction; returns its text."""
    seal = signing.new_seal()
    Secret.objects.create(bot_id=bot_id, sealed=seal)
    return signing.secret_of(seal)


def rotate(bot_id: int, owner_id: int, receipt: receipts.Draft | None = None) -> str | None:
    """A new secret beside the newest one; older ones end. Returns its text, shown once.

    None when the request is repeated. Raises `BotNotFoundError`, `NotYourBotError`.
    """
    queries.owned(bot_id, owner_id)
    with transaction.atomic(durable=True):
        Bot.objects.select_for_update().get(pk=bot_id)
        if receipts.repeated(receipt) is not None:
            return None
        live = Secret.objects.filter(bot_id=bot_id, revoked_at=None)
        newest = list(live.order_by("-pk").values_list("pk", flat=True)[:1])
        live.exclude(pk__in=newest).update(revoked_at=Now())
        text = add(bot_id)
        receipts.keep(receipt, {"bot": bot_id})
        return text
