"""Registering a bot: what it may be called, where it may live, what it may say of itself.

Whether it answers is another matter; what comes after is `life`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from types import MappingProxyType
from typing import Any, NamedTuple

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from bots_api import queries
from bots_api.errors import (
    BadBotError,
    BadUrlError,
    BotLimitError,
    NameTakenError,
    NotAnOwnerError,
)
from bots_api.models import Bot
from bots_api.services import secrets
from bots_api.services.accepting import Accepts
from config.kit import names, receipts
from config.kit.egress.addresses import allowance
from config.kit.egress.urls import UrlError, parse
from config.kit.names import BadNameError
from games.engine import PRESETS
from games.models import Player
from games.players import HOUSE
from games.services import tokens

MAX_BOTS = 20
# Time to start it with the secret that was just shown.
FIRST_CALL = timedelta(minutes=10)


class BotSpec(NamedTuple):
    """What an owner says of a bot; `url` is empty for one that connects out."""

    name: str
    transport: str = Bot.Transport.WEBHOOK
    url: str = ""
    description: str = ""
    presets: Sequence[str] = ("table",)
    concurrency: int = 1
    accepts: Mapping[str, Any] = MappingProxyType({})


class Registered(NamedTuple):
    """A new bot. `token` and `signing_secret` are shown once: None when a request is repeated."""

    bot: Bot
    token: str | None
    signing_secret: str | None


def register(owner_id: int, spec: BotSpec, receipt: receipts.Draft | None = None) -> Registered:
    """Make a bot with its player, token and signing secret.

    Raises `BadNameError`, `NameTakenError`, `BadUrlError`, `BadBotError`, `BotLimitError`,
    `NotAnOwnerError`.
    """
    name, url = _name(spec.name), checked_url(spec.transport, spec.url)
    check_settings(spec.presets, spec.concurrency)
    accepts = Accepts.read(spec.accepts)
    with transaction.atomic(durable=True):
        # The owner's row stands in for all bots of that owner: two requests can't both be the last.
        owner = Player.objects.select_for_update().get(pk=owner_id)
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return Registered(queries.bot(outcome["bot"]), None, None)
        _check_owner(owner)
        bot = _create(owner, name, url, spec, accepts)
        token = tokens.issue(bot.player, secrets.SCOPES)
        secret = secrets.add(bot.pk)
        receipts.keep(receipt, {"bot": bot.pk})
        return Registered(bot, token.text, secret)


def _create(owner: Player, name: str, url: str, spec: BotSpec, accepts: Accepts) -> Bot:
    player = _player(owner, name)
    bot = Bot.objects.create(
        player=player,
        transport=spec.transport,
        url=url,
        description=spec.description,
        presets=list(spec.presets),
        concurrency=spec.concurrency,
        accepts=accepts.wire(),
        call_at=Now() + FIRST_CALL if url else None,
    )
    player.agent_ref = f"bot:{bot.pk}"
    player.save(update_fields=["agent_ref"])
    return bot


def _player(owner: Player, name: str) -> Player:
    key = names.folded(name)
    try:
        with transaction.atomic():
            return Player.objects.create(kind=Player.Kind.BOT, name=name, name_key=key, owner=owner)
    except IntegrityError:
        # The constraint decides, so that two requests at once can't both have the name.
        raise NameTakenError(f"“{name}” is taken, or looks like a name that is.") from None


def _check_owner(owner: Player) -> None:
    if owner.kind in (Player.Kind.BOT, Player.Kind.HOUSE):
        raise NotAnOwnerError("A bot can't own bots: use its owner's token.")
    living = Bot.objects.exclude(state=Bot.State.RETIRED).filter(player__owner=owner)
    if living.count() >= MAX_BOTS:
        raise BotLimitError(f"One owner has at most {MAX_BOTS} bots.", MAX_BOTS)


def _name(name: str) -> str:
    kept = names.checked(name)
    if "/" in kept or "\\" in kept or not kept.strip("."):
        # Its page has the name in its address, which browsers read as folders.
        raise BadNameError("The name of a bot has no slashes, and more in it than dots.")
    if names.folded(kept) in {names.folded(house) for house in HOUSE}:
        raise NameTakenError(f"“{kept}” is the name of a house bot.")
    return kept


def checked_url(transport: str, url: str) -> str:
    """The URL as it is kept, "" for a bot that connects out. Raises `BadUrlError`."""
    if transport == Bot.Transport.PULL:
        return ""
    try:
        target = parse(url, allowance(settings.EGRESS_ALLOW))
    except UrlError as error:
        raise BadUrlError(error.reason, field="url") from None
    if "?" in target.path:
        raise BadUrlError("The URL of a bot has no query: /move is added to it.", field="url")
    return str(target).rstrip("/")


def check_settings(presets: Sequence[str], concurrency: int) -> None:
    """Raise `BadBotError` for presets or a width that can't be."""
    unknown = sorted(set(presets) - set(PRESETS))
    if unknown or not presets or len(presets) != len(set(presets)):
        raise BadBotError(
            "Name at least one preset, only known ones, and each once.",
            field="presets",
            presets=list(PRESETS),
        )
    if not 1 <= concurrency <= 64:
        raise BadBotError("A bot takes 1 to 64 turns at once.", field="concurrency")
