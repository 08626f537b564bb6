"""Bots as the league sees them (`settings.ENTRANTS`): admitted, bound to a version, absent,
busy.

Works inside the league's transaction; takes no lock but those of the rows it updates.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import F
from django.db.models.functions import Least, Now

from bots_api import queries
from bots_api.errors import BotStateError
from bots_api.models import Bot, Notice
from bots_api.queries import traffic, versions
from bots_api.services import notices
from games.models import Player
from league.errors import CheckRequiredError, PresetNotDeclaredError
from league.services.entrants import Terms

NOT_ASKED = (Bot.State.PAUSED, Bot.State.SUSPENDED, Bot.State.RETIRED)
NOT_ADMITTED = (Bot.State.SUSPENDED, Bot.State.RETIRED)


def admit(player: Player, terms: Terms) -> None:
    """Refuse a bot that may not enter: its state, its presets, its check.

    Raises `BotStateError`, `PresetNotDeclaredError`, `CheckRequiredError`.
    """
    bot = Bot.objects.filter(player=player).first()
    if bot is None:
        return
    if bot.state in NOT_ADMITTED:
        raise BotStateError(f"The bot is {bot.state}.", state=bot.state)
    if terms.preset not in bot.presets:
        raise PresetNotDeclaredError(
            f"The bot plays {', '.join(bot.presets)}; this is {terms.preset}.",
            preset=terms.preset,
            presets=bot.presets,
        )
    if terms.rated and not queries.passed(bot.pk).exists():
        raise CheckRequiredError(
            "The bot has not passed the check, which comes before its first rated game.",
            check=f"/api/v1/bots/{bot.pk}/check",
        )
    # Soon it is needed: the sweep looks at once whether it is there.
    Bot.objects.filter(pk=bot.pk).update(call_at=Least(F("call_at"), Now()))


def freeze(players: Sequence[Player], competition_id: int) -> dict[int, str]:
    """The version that plays for each of the players: the newest that passed the check.

    Its owner is told where that is not the one that answers now.
    """
    bots = Bot.objects.filter(player__in=players).select_related("version", "player__owner__user")
    frozen = {}
    for bot in bots.order_by("pk"):
        version = versions.to_freeze(bot)
        if version is None:
            continue
        frozen[bot.player_id] = version
        now = bot.version.version if bot.version else None
        if now not in (None, version):
            data = {"competition": competition_id, "frozen": version, "now": now}
            notices.tell(bot, Notice.Kind.VERSION_FROZEN, data)
    return frozen


def absent(players: Sequence[Player]) -> set[int]:
    """Players whose bots are paused, suspended or retired."""
    gone = Bot.objects.filter(player__in=players, state__in=NOT_ASKED)
    return set(gone.values_list("player_id", flat=True))


def queues(players: Sequence[Player]) -> dict[int, tuple[int, int]]:
    """How many turns are out at each player's bot, and how many wait."""
    bots = dict(Bot.objects.filter(player__in=players).values_list("pk", "player_id"))
    return {bots[pk]: (found.out, found.waiting) for pk, found in traffic.queues(bots).items()}
