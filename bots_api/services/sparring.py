"""Sparring: unrated games against house bots, whenever the owner likes, before any check."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models.functions import Now

from bots_api import queries
from bots_api.errors import BadBotError, BotStateError, SparringLimitError
from bots_api.models import Bot, Sparring
from config.kit import receipts
from games.engine import Rules, rules_from
from games.models import Player
from games.players import HOUSE
from games.services.driven_games import create_driven
from games.services.players import house_player

AN_HOUR: Final = timedelta(hours=1)
GAMES_AN_HOUR: Final = 60
MOST_GAMES: Final = 10
MOVE_MS: Final = 1000
BANK_MS: Final = 30_000
NOT_THEN: Final = (Bot.State.PAUSED, Bot.State.RETIRED)


@dataclass(frozen=True)
class Bout:
    """What is to be played: `house` names the opponents in order, `preset` the rules."""

    house: Sequence[str] = ("lowest",)
    preset: str = "table"
    options: Mapping[str, Any] = field(default_factory=dict)
    games: int = 1


def begin(
    bot_id: int, owner_id: int, bout: Bout, receipt: receipts.Draft | None = None
) -> list[Sparring]:
    """Make the games of a bout, due at once; the bot sits anywhere among its opponents.

    Raises `BadBotError`, `RulesError`, `BotStateError`, `SparringLimitError`,
    `BotNotFoundError`, `NotYourBotError`.
    """
    bot = queries.owned(bot_id, owner_id)
    if bot.state in NOT_THEN:
        raise BotStateError(f"The bot is {bot.state}.", state=bot.state)
    rules = _checked(bout)
    with transaction.atomic(durable=True):
        # The owner's row: two requests can't both be the last of the hour.
        owner = Player.objects.select_for_update().get(pk=owner_id)
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return list(queries.sparring(bot_id).filter(pk__in=outcome["sparring"]).order_by("pk"))
        _refuse_too_many(owner_id, bout.games)
        rows = [_game(bot, owner, bout, rules) for _ in range(bout.games)]
        receipts.keep(receipt, {"sparring": [row.pk for row in rows]})
        return rows


def _checked(bout: Bout) -> Rules:
    unknown = [name for name in bout.house if name not in HOUSE]
    if unknown or not 1 <= len(bout.house) <= 5:
        raise BadBotError("Name 1 to 5 house bots.", field="house", house_bots=sorted(HOUSE))
    return rules_from(bout.preset, bout.options)


def _game(bot: Bot, owner: Player, bout: Bout, rules: Rules) -> Sparring:
    players = [house_player(name) for name in bout.house]
    seat = secrets.randbelow(len(players) + 1)
    players.insert(seat, bot.player)
    game = create_driven(rules, players, owner, MOVE_MS, BANK_MS)
    return Sparring.objects.create(bot=bot, game_ref=game.pk, seat=seat, preset=bout.preset)


def _refuse_too_many(owner_id: int, games: int) -> None:
    lately = Sparring.objects.filter(
        bot__player__owner=owner_id, created_at__gt=Now() - AN_HOUR
    ).order_by("created_at")
    made = list(lately.values_list("created_at", flat=True))
    over = len(made) + games - GAMES_AN_HOUR
    if over > 0:
        # So many of them must be an hour old before there is room.
        ends_at = made[min(over, len(made)) - 1] + AN_HOUR if made else None
        raise SparringLimitError(
            f"One owner has at most {GAMES_AN_HOUR} sparring games an hour.", GAMES_AN_HOUR, ends_at
        )
