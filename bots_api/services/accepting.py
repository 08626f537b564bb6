"""Whom a bot plays with: who may, how many casual games at once, at which hours.

Owns the shape of `Bot.accepts` and the answer when somebody wants to play with a bot. What its
owner does with it, and competitions, are no casual games.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Any, Final, NamedTuple, Self
from zoneinfo import ZoneInfo, available_timezones

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now

from bots_api import queries
from bots_api.errors import BadBotError, NotAcceptingError
from bots_api.models import Bot, Sparring
from config.kit import clock
from games.models import Game, Player, Seat

WHO: Final = ("nobody", "bots", "people", "both")
MOST_CASUAL: Final = 64
# What a machine takes for one, and another does not.
NO_ZONES: Final = frozenset(("localtime", "Factory"))
FORMING: Final = timedelta(hours=1)
LIVE: Final = (Game.State.FORMING, Game.State.READY, Game.State.PLAYING)


class Hours(NamedTuple):
    """From when to when of each day, in a zone; over midnight if `end` is the earlier one."""

    start: time
    end: time
    zone: str

    def hold(self, now: datetime) -> bool:
        """Whether `now` is within them.

        >>> Hours(time(22), time(6), "UTC").hold(datetime(2026, 11, 30, 23, tzinfo=ZoneInfo("UTC")))
        True
        """
        local = now.astimezone(ZoneInfo(self.zone)).time()
        if self.start <= self.end:
            return self.start <= local < self.end
        return local >= self.start or local < self.end

    def wire(self) -> dict[str, str]:
        """As the API has them."""
        return {"from": f"{self.start:%H:%M}", "to": f"{self.end:%H:%M}", "zone": self.zone}


class Accepts(NamedTuple):
    """What an owner allows; the defaults are what a new bot gets."""

    who: str = "both"
    casual: int = 4
    hours: Hours | None = None

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """From rows or requests; what is not given has its default. Raises `BadBotError`."""
        who, casual = given.get("who", "both"), given.get("casual", 4)
        if who not in WHO:
            raise _bad("One of nobody, bots, people, both.", "accepts.who")
        if type(casual) is not int or not 0 <= casual <= MOST_CASUAL:
            raise _bad(f"A number from 0 to {MOST_CASUAL}.", "accepts.casual")
        hours = given.get("hours")
        return cls(who, casual, None if hours is None else _hours(hours))

    def wire(self) -> dict[str, Any]:
        """As rows and API have it."""
        hours = None if self.hours is None else self.hours.wire()
        return {"who": self.who, "casual": self.casual, "hours": hours}


def invite(player: Player, by: Player, preset: str) -> None:
    """Let `by` have the bot behind `player` in a casual game, or say why not.

    In the caller's transaction, which makes the seat: the bot's row is locked, so that two games
    can't both be its last. Raises `NotAcceptingError`; `settings.SEAT_INVITES`.
    """
    rows = Bot.objects.select_for_update(no_key=True, of=["self"]).select_related("player")
    bot = rows.get(player=player)
    reason = _reason(bot, by, preset)
    if reason is not None:
        code, sentence = reason
        raise NotAcceptingError(sentence, reason=code, accepts=Accepts.read(bot.accepts).wire())


def _reason(bot: Bot, by: Player, preset: str) -> tuple[str, str] | None:
    """Why not; None if it plays."""
    if bot.state != Bot.State.ACTIVE:
        return "state", f"The bot is {bot.state}."
    if queries.is_away(bot):
        return "away", "The bot connects to the service, and is not connected now."
    if preset not in bot.presets:
        return "preset", f"It plays {', '.join(bot.presets)}."
    if by.pk in (bot.player.owner_id, bot.player_id):
        return None
    return _refused(bot, Accepts.read(bot.accepts), by)


def _refused(bot: Bot, accepts: Accepts, by: Player) -> tuple[str, str] | None:
    """What the owner does not allow others."""
    kind = "bots" if by.kind == Player.Kind.BOT else "people"
    if accepts.who not in (kind, "both"):
        return "who", f"It plays with {accepts.who}."
    if accepts.hours is not None and not accepts.hours.hold(clock.now()):
        hours = accepts.hours.wire()
        return "hours", f"It plays from {hours['from']} to {hours['to']} ({hours['zone']})."
    if _casual_games(bot) >= accepts.casual:
        return "casual", f"It plays {accepts.casual} casual games at once, and has them."
    return None


def _casual_games(bot: Bot) -> int:
    spars = Sparring.objects.filter(game_ref=OuterRef("game"))
    seats = Seat.objects.filter(player=bot.player_id, game__competition_ref=None)
    # A game that nobody deals within the hour won't be.
    alive = Q(game__state=Game.State.PLAYING) | Q(game__created_at__gt=Now() - FORMING)
    live = seats.filter(alive, game__state__in=LIVE)
    return live.exclude(Exists(spars)).count()


def _hours(given: object) -> Hours:
    if not isinstance(given, Mapping):
        raise _bad("Hours are from, to and zone.", "accepts.hours")
    zone = given.get("zone", "UTC")
    if zone not in available_timezones() - NO_ZONES:
        raise _bad("Not a time zone.", "accepts.hours.zone")
    start, end = (_time(given.get(name), name) for name in ("from", "to"))
    if start == end:
        raise _bad("Two different times; null for always.", "accepts.hours.to")
    return Hours(start, end, zone)


def _time(text: object, name: str) -> time:
    try:
        return datetime.strptime(str(text), "%H:%M").time()
    except ValueError:
        raise _bad("A time is written 08:30.", f"accepts.hours.{name}") from None


def _bad(sentence: str, field: str) -> BadBotError:
    return BadBotError(sentence, field=field)
