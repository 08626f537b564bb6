"""What forms do: register a bot, have it checked, let it spar, pause it, change its keys, play it.

Each calls the service that the API calls, and shows the page again with what came of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from bots_api import queries
from bots_api.errors import BotNotFoundError, NotYourBotError
from bots_api.models import Bot
from bots_api.services import checks, life, registration, secrets, sparring
from bots_api.services.registration import BotSpec
from bots_api.services.sparring import Bout
from bots_api.tasks import CHECK
from config.kit.errors import ServiceError
from config.kit.wake import send
from games.authentication import SESSION_KEY, session_player
from games.engine import EngineError
from games.models import Player
from games.services import lobby, players
from games.services.lobby import Plan
from games.services.progress import Progress
from games.tasks import follow_up
from league.models import Entry
from league.queries import visible
from league.services import entries

Refusal = (ServiceError, EngineError)


@require_POST
def register(request: HttpRequest) -> HttpResponse:
    """Register the bot of the form on `/bots/`; its keys are shown on the answer, once."""
    form = request.POST
    spec = BotSpec(
        name=form.get("name", ""),
        transport=Bot.Transport.PULL if form.get("transport") == "pull" else Bot.Transport.WEBHOOK,
        url=form.get("url", ""),
        presets=form.getlist("presets") or ["table"],
    )
    try:
        made = registration.register(_person(request).pk, spec)
    except Refusal as error:
        return _refused(request, error, redirect("bots"))
    return _keys(request, made.bot, made.token, made.signing_secret)


@require_POST
def check(request: HttpRequest, bot_id: int) -> HttpResponse:
    """Ask for a check."""

    def act(bot: Bot, owner_id: int) -> str:
        send(CHECK, str(checks.ask(bot.pk, owner_id).pk))
        return "The check is under way: load the page again in a few seconds."

    return _done(request, bot_id, act)


@require_POST
def spar(request: HttpRequest, bot_id: int) -> HttpResponse:
    """Begin a sparring game."""

    def act(bot: Bot, owner_id: int) -> str:
        house, preset = request.POST.get("house", "lowest"), request.POST.get("preset", "table")
        sparring.begin(bot.pk, owner_id, Bout([house], preset))
        follow_up(Progress(driven=True))
        return f"{bot.player.name} plays against {house}: the game is below."

    return _done(request, bot_id, act)


@require_POST
def pause(request: HttpRequest, bot_id: int) -> HttpResponse:
    """Give it no new games."""
    return _done(request, bot_id, lambda bot, owner: _say(life.pause(bot.pk, owner), "is paused"))


@require_POST
def resume(request: HttpRequest, bot_id: int) -> HttpResponse:
    """Let it play again, or have it called if it is suspended."""

    def act(bot: Bot, owner_id: int) -> str:
        after = life.resume(bot.pk, owner_id)
        return _say(after, "plays again" if after.state == Bot.State.ACTIVE else "is called now")

    return _done(request, bot_id, act)


@require_POST
def enter(request: HttpRequest, bot_id: int) -> HttpResponse:
    """Enter it in a competition, or withdraw it."""
    number = request.POST.get("competition", "")
    if not number.isdecimal() or len(number) > 18:
        raise Http404

    def act(bot: Bot, owner_id: int) -> str:
        competition = visible.competition(int(number), owner_id)
        if "withdraw" in request.POST:
            entries.withdraw(competition.pk, bot.player_id)
            return f"{bot.player.name} is withdrawn from {competition.name}."
        entry = entries.enter(competition.pk, bot.player_id)
        waits = "" if entry.state == Entry.State.ENTERED else ", on the waiting list"
        return f"{bot.player.name} is entered in {competition.name}{waits}."

    return _done(request, bot_id, act)


@require_POST
def rotate(request: HttpRequest, bot_id: int) -> HttpResponse:
    """A new token or a new signing secret, shown on the answer, once."""
    bot, owner = mine(request, bot_id)
    try:
        if request.POST.get("what") == "token":
            return _keys(request, bot, secrets.rotate_token(bot.pk, owner.pk), None)
        return _keys(request, bot, None, secrets.rotate(bot.pk, owner.pk))
    except Refusal as error:
        return _refused(request, error, redirect("bot", bot.player.name))


@require_POST
def play(request: HttpRequest, bot_id: int) -> HttpResponse:
    """A new game against the bot."""
    try:
        bot = queries.bot(bot_id)
        rules = lobby.rules_for(request.POST.get("preset", "table"), {})
        placed = lobby.create_game(_person(request), Plan(rules, ["", f"bot:{bot_id}"]))
    except BotNotFoundError:
        raise Http404 from None
    except Refusal as error:
        return _refused(request, error, redirect("bot", bot.player.name))
    return redirect("game", placed.game_id)


def _done(
    request: HttpRequest, bot_id: int, act: Callable[[Bot, int], str]
) -> HttpResponseRedirect:
    """Do it as the owner and say on the bot's page what came of it."""
    bot, owner = mine(request, bot_id)
    back = redirect("bot", bot.player.name)
    try:
        messages.success(request, act(bot, owner.pk))
    except Refusal as error:
        return _refused(request, error, back)
    return back


def mine(request: HttpRequest, bot_id: int) -> tuple[Bot, Player]:
    """The bot and its owner, who is the one that asks; anybody else is turned away."""
    player = session_player(request)
    try:
        bot = queries.owned(bot_id, player.pk if player else None)
    except BotNotFoundError:
        raise Http404 from None
    except NotYourBotError as error:
        raise PermissionDenied(str(error)) from None
    assert player is not None
    return bot, player


def _person(request: HttpRequest) -> Player:
    """Who uses this browser; a guest is made from the nickname of the form when it is new."""
    player = session_player(request)
    if player is None:
        player = players.create(request.POST.get("nickname", "")).player
        request.session[SESSION_KEY] = player.pk
    return player


def _keys(request: HttpRequest, bot: Bot, token: str | None, secret: str | None) -> HttpResponse:
    context: dict[str, Any] = {"bot": bot, "token": token, "secret": secret}
    context["service"] = request.build_absolute_uri("/").rstrip("/")
    answer = render(request, "bots_api/keys.html", context)
    answer["Cache-Control"] = "no-store"
    return answer


def _refused(
    request: HttpRequest, error: Exception, back: HttpResponseRedirect
) -> HttpResponseRedirect:
    text = str(error) if isinstance(error, ServiceError) else f"The rules refuse that: {error}."
    messages.error(request, text)
    return back


def _say(bot: Bot, what: str) -> str:
    return f"{bot.player.name} {what}."
