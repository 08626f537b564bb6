"""The life of a bot after its registration: edited, paused, resumed, retired by its owner."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from bots_api import queries
from bots_api.errors import BotStateError
from bots_api.models import Bot
from bots_api.services import news, secrets, suspension
from bots_api.services.accepting import Accepts
from bots_api.services.registration import check_settings, checked_url
from config.kit import receipts
from league.services import entrants

State = Bot.State
# What may be asked of the bot as it is, under its lock: raises what the caller likes.
Condition = Callable[[Bot], None]


def update(
    bot_id: int, owner_id: int, changes: Mapping[str, object], only_if: Condition | None = None
) -> Bot:
    """Change what is named of `transport`, `url`, `description`, `presets`, `concurrency`,
    `accepts`.

    Raises `BadUrlError`, `BadBotError`, `BotNotFoundError`, `NotYourBotError`, `BotStateError`.
    """
    with transaction.atomic(durable=True):
        bot = _locked(bot_id, owner_id)
        if only_if is not None:
            only_if(bot)
        for field, value in changes.items():
            setattr(bot, field, value)
        bot.url = checked_url(bot.transport, bot.url)
        bot.accepts = Accepts.read(bot.accepts).wire()
        check_settings(bot.presets, bot.concurrency)
        bot.edits += 1
        bot.save(update_fields=["edits", "url", "accepts", *changes])
        news.edited()
        if changes.keys() & {"url", "transport"}:
            # Somewhere else: what was heard from the old address says nothing of this one.
            called = Now() if bot.url else None
            Bot.objects.filter(pk=bot.pk).update(call_at=called, misses=0, passes=0)
        return bot


def pause(bot_id: int, owner_id: int, receipt: receipts.Draft | None = None) -> Bot:
    """No new games; tables under way are played on. Raises as `update`."""
    return _move(bot_id, owner_id, State.ACTIVE, State.PAUSED, receipt)


def resume(bot_id: int, owner_id: int, receipt: receipts.Draft | None = None) -> Bot:
    """Play again after a pause. One that is suspended for silence is called at once instead, by
    the sweep, which restores it; one that connects out by now need only be there. Raises as
    `update`."""
    with transaction.atomic(durable=True):
        bot = _locked(bot_id, owner_id)
        if bot.state == State.SUSPENDED and bot.suspended_for == Bot.Reason.SILENCE:
            return _heard_again(bot)
    return _move(bot_id, owner_id, State.PAUSED, State.ACTIVE, receipt)


def retire(bot_id: int, owner_id: int, receipt: receipts.Draft | None = None) -> Bot:
    """End a bot for good: its name, games and ratings stay, it is called no more and its tokens
    end. Again changes nothing."""
    with transaction.atomic(durable=True):
        if receipts.repeated(receipt) is not None:
            return queries.owned(bot_id, owner_id)
        bot = _row(bot_id, owner_id)
        if bot.state != State.RETIRED:
            bot.state, bot.call_at = State.RETIRED, None
            bot.edits += 1
            bot.save(update_fields=["state", "call_at", "edits"])
            secrets.end_tokens(bot_id)
            entrants.stand_in_for(bot.player)
            news.edited()
        receipts.keep(receipt, {"bot": bot_id})
        return bot


def _heard_again(bot: Bot) -> Bot:
    if bot.transport == Bot.Transport.WEBHOOK:
        Bot.objects.filter(pk=bot.pk).update(call_at=Now())
    elif not queries.is_away(bot):
        suspension.restore(bot)
        bot.refresh_from_db(fields=["state", "suspended_for"])
    return bot


def _move(
    bot_id: int, owner_id: int, before: Bot.State, after: Bot.State, receipt: receipts.Draft | None
) -> Bot:
    with transaction.atomic(durable=True):
        if receipts.repeated(receipt) is not None:
            return queries.owned(bot_id, owner_id)
        bot = _locked(bot_id, owner_id)
        if bot.state not in (before, after):
            raise BotStateError(f"The bot is {bot.state}.", state=bot.state)
        if bot.state == before:
            bot.state = after
            Bot.objects.filter(pk=bot_id).update(state=after, edits=F("edits") + 1)
            bot.edits += 1
        receipts.keep(receipt, {"bot": bot_id})
        return bot


def _locked(bot_id: int, owner_id: int) -> Bot:
    found = _row(bot_id, owner_id)
    if found.state == State.RETIRED:
        raise BotStateError("The bot is retired.", state=found.state)
    return found


def _row(bot_id: int, owner_id: int) -> Bot:
    queries.owned(bot_id, owner_id)
    rows = Bot.objects.select_for_update(of=["self"]).select_related("player__owner", "version")
    return rows.get(pk=bot_id)
