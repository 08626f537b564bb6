"""What proves who speaks: signing secrets of the service, API tokens of the bot.

Of both two are live while the owner moves from one to the other; a third ends the oldest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from bots_api import queries
from bots_api.errors import BotStateError, LastSecretError, SecretNotFoundError, TokenNotFoundError
from bots_api.models import Bot, Secret
from bots_api.services import news
from config.kit import receipts, signing
from games.models import Token
from games.services import tokens

SCOPES = (Token.Scope.PLAY, Token.Scope.BOT, Token.Scope.READ)


def add(bot_id: int) -> str:
    """Make a secret in the caller's transaction; returns its text."""
    seal = signing.new_seal()
    Secret.objects.create(bot_id=bot_id, sealed=seal)
    return signing.secret_of(seal)


def rotate(bot_id: int, owner_id: int, receipt: receipts.Draft | None = None) -> str | None:
    """A new secret beside the newest one; older ones end. Returns its text, shown once.

    None when the request is repeated. Raises `BotStateError` for one that is retired,
    `BotNotFoundError`, `NotYourBotError`.
    """
    return _rotate(bot_id, owner_id, receipt, queries.live_secrets(bot_id), _new_secret)


def revoke(bot_id: int, owner_id: int, secret_id: int) -> None:
    """End a secret before the next rotation does.

    Raises `SecretNotFoundError`, `LastSecretError`, `BotNotFoundError`, `NotYourBotError`.
    """
    queries.owned(bot_id, owner_id)
    with transaction.atomic(durable=True):
        _locked(bot_id)
        live = queries.live_secrets(bot_id)
        if not live.filter(pk=secret_id).exists():
            raise SecretNotFoundError("The bot has no such live secret.")
        if live.count() == 1:
            raise LastSecretError("Calls are signed: make a new secret first.")
        live.filter(pk=secret_id).update(revoked_at=Now())
        news.edited()


def rotate_token(bot_id: int, owner_id: int, receipt: receipts.Draft | None = None) -> str | None:
    """A new API token beside the newest one; older ones end. As `rotate`."""
    return _rotate(bot_id, owner_id, receipt, queries.live_tokens(bot_id), _new_token)


def end_tokens(bot_id: int) -> None:
    """End all tokens of a bot, in the caller's transaction."""
    queries.live_tokens(bot_id).update(revoked_at=Now())
    transaction.on_commit(tokens.forget)


def revoke_token(bot_id: int, owner_id: int, token_id: int) -> None:
    """End a token at once, the last one too.

    Raises `TokenNotFoundError`, `BotNotFoundError`, `NotYourBotError`.
    """
    queries.owned(bot_id, owner_id)
    with transaction.atomic(durable=True):
        live = queries.live_tokens(bot_id).filter(pk=token_id)
        if not live.update(revoked_at=Now()):
            raise TokenNotFoundError("The bot has no such live token.")
        transaction.on_commit(tokens.forget)


def _rotate(
    bot_id: int,
    owner_id: int,
    receipt: receipts.Draft | None,
    live: QuerySet[Any],
    new: Callable[[Bot], str],
) -> str | None:
    """End all of the `live` keys but the newest, and make a new one beside it."""
    queries.owned(bot_id, owner_id)
    with transaction.atomic(durable=True):
        bot = _locked(bot_id)
        if receipts.repeated(receipt) is not None:
            return None
        if bot.state == Bot.State.RETIRED:
            raise BotStateError("The bot is retired.", state=bot.state)
        newest = list(live.order_by("-pk").values_list("pk", flat=True)[:1])
        live.exclude(pk__in=newest).update(revoked_at=Now())
        text = new(bot)
        receipts.keep(receipt, {"bot": bot_id})
        return text


def _new_secret(bot: Bot) -> str:
    news.edited()
    return add(bot.pk)


def _new_token(bot: Bot) -> str:
    transaction.on_commit(tokens.forget)
    return tokens.issue(bot.player, SCOPES).text


def _locked(bot_id: int) -> Bot:
    rows = Bot.objects.select_for_update(of=["self"]).select_related("player")
    return rows.get(pk=bot_id)
