"""The life of a bot: registered, edited, paused, resumed, retired.

Owns what a bot may be called and where it may live; whether it answers is another matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.conf import settings
from django.db import IntegrityError, transaction

from bots_api import queries
from bots_api.errors import (
    BadBotError,
    BadUrlError,
    BotLimitError,
    BotStateError,
    NameTakenError,
    NotAnOwnerError,
)
from bots_api.models import Bot
from bots_api.services import secrets
from config.kit import names, receipts
from config.kit.egress.addresses import allowance
from config.kit.egress.urls import UrlError, parse
from games.engine import PRESETS
from games.models import Player, Token
from games.players import HOUSE
from games.services import tokens

MAX_BOTS = 20
ACCEPTS = ("nobody", "bots", "people", "both")


class BotSpec(NamedTuple):
    """What an owner says of a bot; `url` is empty for one that connects out."""

    name: str
    transport: str = Bot.Transport.WEBHOOK
    url: str = ""
    description: str = ""
    presets: Sequence[str] = ("table",)
    concurrency: int = 1
    accepts: str = "both"


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
    name, url = _name(spec.name), _url(spec.transport, spec.url)
    _check(spec.presets, spec.concurrency, spec.accepts)
    with transaction.atomic(durable=True):
        # The owner's row stands in for all bots of that owner: two requests can't both be the last.
        owner = Player.objects.select_for_update().get(pk=owner_id)
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return Registered(queries.bot(outcome["bot"]), None, None)
        _check_owner(owner)
        bot = _create(owner, name, url, spec)
        token = tokens.issue(bot.player, [Token.Scope.PLAY, Token.Scope.BOT, Token.Scope.READ])
        secret = secrets.add(bot.pk)
        receipts.keep(receipt, {"bot": bot.pk})
        return Registered(bot, token.text, secret)


def update(bot_id: int, owner_id: int, changes: Mapping[str, object]) -> Bot:
    """Change `url`, `description`, `presets`, `concurrency` or `accepts` of a bot.

    Raises `BadUrlError`, `BadBotError`, `BotNotFoundError`, `NotYourBotError`, `BotStateError`.
    """
    with transaction.atomic(durable=True):
        bot = _locked(bot_id, owner_id)
        for field, value in changes.items():
            setattr(bot, field, {"kind": value} if field == "accepts" else value)
        bot.url = _url(bot.transport, bot.url)
        _check(bot.presets, bot.concurrency, bot.accepts["kind"])
        bot.save(update_fields=["url", *changes])
        return bot


def pause(bot_id: int, owner_id: int) -> Bot:
    """No new games; tables under way are played on. Raises as `update`."""
    return _move(bot_id, owner_id, Bot.State.ACTIVE, Bot.State.PAUSED)


def resume(bot_id: int, owner_id: int) -> Bot:
    """Play again after a pause. Raises as `update`."""
    return _move(bot_id, owner_id, Bot.State.PAUSED, Bot.State.ACTIVE)


def retire(bot_id: int, owner_id: int) -> Bot:
    """End a bot for good: its name, games and ratings stay, it is called no more."""
    with transaction.atomic(durable=True):
        bot = _locked(bot_id, owner_id)
        bot.state = Bot.State.RETIRED
        bot.save(update_fields=["state"])
        return bot


def _move(bot_id: int, owner_id: int, before: Bot.State, after: Bot.State) -> Bot:
    with transaction.atomic(durable=True):
        bot = _locked(bot_id, owner_id)
        if bot.state not in (before, after):
            raise BotStateError(f"The bot is {bot.state}.", state=bot.state)
        bot.state = after
        bot.save(update_fields=["state"])
        return bot


def _locked(bot_id: int, owner_id: int) -> Bot:
    queries.owned(bot_id, owner_id)
    bot = Bot.objects.select_for_update(of=["self"]).select_related("player__owner", "version")
    found = bot.get(pk=bot_id)
    if found.state == Bot.State.RETIRED:
        raise BotStateError("The bot is retired.", state=found.state)
    return found


def _create(owner: Player, name: str, url: str, spec: BotSpec) -> Bot:
    player = _player(owner, name)
    bot = Bot.objects.create(
        player=player,
        transport=spec.transport,
        url=url,
        description=spec.description,
        presets=list(spec.presets),
        concurrency=spec.concurrency,
        accepts={"kind": spec.accepts},
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
        raise BotLimitError(f"One owner has at most {MAX_BOTS} bots.", limit=MAX_BOTS)


def _name(name: str) -> str:
    kept = names.checked(name)
    if names.folded(kept) in {names.folded(house) for house in HOUSE}:
        raise NameTakenError(f"“{kept}” is the name of a house bot.")
    return kept


def _url(transport: str, url: str) -> str:
    if transport == Bot.Transport.PULL:
        return ""
    try:
        target = parse(url, allowance(settings.EGRESS_ALLOW))
    except UrlError as error:
        raise BadUrlError(error.reason, field="url") from None
    if "?" in target.path:
        raise BadUrlError("The URL of a bot has no query: /move is added to it.", field="url")
    return str(target).rstrip("/")


def _check(presets: Sequence[str], concurrency: int, accepts: str) -> None:
    unknown = sorted(set(presets) - set(PRESETS))
    if unknown or not presets:
        raise BadBotError(
            "Name at least one preset, and only known ones.", field="presets", presets=list(PRESETS)
        )
    if not 1 <= concurrency <= 64:
        raise BadBotError("A bot takes 1 to 64 turns at once.", field="concurrency")
    if accepts not in ACCEPTS:
        raise BadBotError("Unknown kind of opponents.", field="accepts", accepts=list(ACCEPTS))
