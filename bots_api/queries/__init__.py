"""Bots and their faults as their owners and everybody else may see them; changes nothing."""

from __future__ import annotations

from datetime import timedelta
from typing import Final, NamedTuple

import structlog
from django.db.models import BooleanField, Count, ExpressionWrapper, Q, QuerySet
from django.db.models.expressions import Combinable
from django.db.models.functions import Now

from bots_api.errors import (
    BotNotFoundError,
    CheckNotFoundError,
    FaultNotFoundError,
    NotABotError,
    NotYourBotError,
    SparringNotFoundError,
)
from bots_api.models import Bot, CheckReport, Fault, Notice, Outing, Secret, Sparring
from config.kit import clock, signing
from config.kit.signing import SecretLostError
from games.models import Token

log = structlog.get_logger(__name__)

# A bot that connects out and was not heard of for so long is away.
PRESENT: Final = timedelta(seconds=30)


class Reach(NamedTuple):
    """How to call a bot: what an agent needs to know of it."""

    bot_id: int
    url: str
    secrets: tuple[str, ...]
    concurrency: int
    callable: bool


def bots() -> QuerySet[Bot]:
    """All bots that are not retired, with player and version along."""
    return Bot.objects.exclude(state=Bot.State.RETIRED).select_related("player__owner", "version")


def bot(bot_id: int) -> Bot:
    """One bot, retired ones too. Raises `BotNotFoundError`."""
    found = Bot.objects.select_related("player__owner", "version").filter(pk=bot_id).first()
    if found is None:
        raise BotNotFoundError("There is no such bot.")
    return found


def by_name(name: str) -> Bot:
    """The bot of exactly this name. Raises `BotNotFoundError`."""
    found = Bot.objects.select_related("player__owner", "version").filter(player__name=name).first()
    if found is None:
        raise BotNotFoundError("There is no such bot.")
    return found


def of_player(player_id: int) -> Bot:
    """The bot that this player is. Raises `NotABotError`."""
    found = Bot.objects.filter(player=player_id).first()
    if found is None:
        raise NotABotError("This is for bots: use the bot's own token.")
    return found


def owned(bot_id: int, player_id: int | None) -> Bot:
    """One bot if this player owns it. Raises `BotNotFoundError`, `NotYourBotError`."""
    found = bot(bot_id)
    if player_id is None or found.player.owner_id != player_id:
        raise NotYourBotError("Only the bot's owner may do this.")
    return found


def checks(bot_id: int) -> QuerySet[CheckReport]:
    """The checks of a bot, to be ordered by the caller."""
    return CheckReport.objects.filter(bot_id=bot_id).select_related("version")


def check(bot_id: int, check_id: int) -> CheckReport:
    """One check of a bot. Raises `CheckNotFoundError`."""
    found = checks(bot_id).filter(pk=check_id).first()
    if found is None:
        raise CheckNotFoundError("The bot has no such check.")
    return found


def passed(bot_id: int) -> QuerySet[CheckReport]:
    """The checks that a bot has passed."""
    return CheckReport.objects.filter(bot_id=bot_id, state=CheckReport.State.PASSED)


def faults(bot_id: int) -> QuerySet[Fault]:
    """The faults of a bot with their evidence, to be ordered by the caller."""
    return Fault.objects.filter(bot_id=bot_id).select_related("version")


def faults_by_kind(bot_id: int) -> dict[str, int]:
    """How many faults of each kind the bot has had, most first."""
    counted = Fault.objects.filter(bot=bot_id).values_list("kind").annotate(count=Count("pk"))
    return dict(counted.order_by("-count", "kind"))


def fault(bot_id: int, fault_id: int) -> Fault:
    """One fault of a bot. Raises `FaultNotFoundError`."""
    found = faults(bot_id).filter(pk=fault_id).first()
    if found is None:
        raise FaultNotFoundError("The bot has no such fault.")
    return found


def sparring(bot_id: int) -> QuerySet[Sparring]:
    """The sparring games of a bot, to be ordered by the caller."""
    return Sparring.objects.filter(bot=bot_id)


def one_sparring(bot_id: int, sparring_id: int) -> Sparring:
    """One of them. Raises `SparringNotFoundError`."""
    found = sparring(bot_id).filter(pk=sparring_id).first()
    if found is None:
        raise SparringNotFoundError("The bot has no such sparring game.")
    return found


def outings(bot_id: int) -> QuerySet[Outing]:
    """The games that a bot has played to the end, to be ordered by the caller."""
    return Outing.objects.filter(bot=bot_id).select_related("version")


def notices(bot_id: int) -> QuerySet[Notice]:
    """What the bot's owner was told, to be ordered by the caller."""
    return Notice.objects.filter(bot=bot_id).select_related("bot__player")


def live_secrets(bot_id: int) -> QuerySet[Secret]:
    """The signing secrets that calls are signed with: one or two."""
    return Secret.objects.filter(bot_id=bot_id, revoked_at=None)


def live_tokens(bot_id: int) -> QuerySet[Token]:
    """The API tokens that speak for the bot."""
    return Token.objects.filter(player__bot=bot_id, revoked_at=None)


def away() -> Combinable:
    """Of a row: whether it is a bot that connects out and is not connected."""
    gone = Q(seen_at=None) | Q(seen_at__lt=Now() - PRESENT)
    pulls = Q(transport=Bot.Transport.PULL)
    return ExpressionWrapper(pulls & gone, output_field=BooleanField())


def is_away(bot: Bot) -> bool:
    """Whether it is a bot that connects out and is not connected."""
    if bot.transport != Bot.Transport.PULL:
        return False
    return bot.seen_at is None or clock.now() - bot.seen_at > PRESENT


class Way(NamedTuple):
    """By which transport a bot is reached now, and whether one that connects out is there."""

    pulls: bool
    connected: bool
    concurrency: int


def way(bot_id: int) -> Way:
    """How a bot is reached at this moment."""
    recent = ExpressionWrapper(Q(seen_at__gt=Now() - PRESENT), output_field=BooleanField())
    bot = Bot.objects.annotate(connected=recent).get(pk=bot_id)
    return Way(bot.transport == Bot.Transport.PULL, bool(bot.connected), bot.concurrency)


def reach(bot_id: int) -> Reach | None:
    """How to call a bot now, its live secrets opened; None if there is no such bot."""
    found = Bot.objects.filter(pk=bot_id).first()
    if found is None:
        return None
    seals = live_secrets(bot_id).order_by("-pk")
    opened = (_opened(bot_id, bytes(secret.sealed)) for secret in seals)
    secrets = tuple(filter(None, opened))
    usable = found.transport == Bot.Transport.WEBHOOK and found.state != Bot.State.RETIRED
    return Reach(bot_id, found.url, secrets, found.concurrency, usable and bool(secrets))


def _opened(bot_id: int, seal: bytes) -> str | None:
    try:
        return signing.secret_of(seal)
    except SecretLostError:
        log.error("bot_secret_lost", bot=bot_id)
        return None
