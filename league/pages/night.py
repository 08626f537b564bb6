"""`/l/<slug>/night/`: who comes, who is there, who sits where; each tap is a form of its own.

The forms post to the page itself: `do` names what is done, `night` on which night, `key` makes it
safe to send again (keys.py). What each does stands in night_acts.py.
"""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from config.kit.errors import ServiceError
from games.authentication import session_player
from league.errors import NightBusyError
from league.models import Competition, Night
from league.pages import found, keys, night_acts, queued
from league.pages.acting import Acting
from league.pages.night_shown import shown
from league.pages.refusals import told
from league.pages.tapping import number as number_in
from league.queries import nights

ME = "night_me"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def night(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    """The night that is open, the next one, or one by number."""
    league, who = found.league(request, slug)
    which = _which(request, league, number)
    if request.method == "POST":
        return _posted(request, league, who, which)
    context = shown(league, who, which, _me(request, league, who))
    return render(request, "league/club/night.html", {**context, "key": keys.fresh()})


def _which(request: HttpRequest, league: Competition, number: int | None) -> Night | None:
    asked = number or number_in(request.POST.get("night", ""))
    if not asked:
        return nights.current(league)
    which = nights.of(league).filter(number=asked).first()
    if which is None:
        raise Http404
    return which


def _posted(
    request: HttpRequest, league: Competition, who: Acting, which: Night | None
) -> HttpResponse:
    if request.POST.get("do") == "me" and who.role is not None:
        me = number_in(request.POST.get("player", ""))
        request.session[ME] = {**request.session.get(ME, {}), str(league.pk): me}
        return redirect(_address(league, which))
    asked = night_acts.Asked(request, league, who, which, _me(request, league, who))
    if queued.is_queued(request):
        return queued.answer(lambda: night_acts.act(asked))
    try:
        messages.success(request, night_acts.act(asked))
    except NightBusyError as error:
        still = _words(error.data.get("open"))
        messages.warning(request, f"Still open: {still}. Press again with “all the same”.")
    except ServiceError as error:
        messages.error(request, told(error))
    return redirect(_address(league, which))


def _words(still: object) -> str:
    return ", ".join(str(one) for one in still) if isinstance(still, list) else ""


def _address(league: Competition, which: Night | None) -> str:
    current = nights.current(league)
    if which is None or current is None or which.number == current.number:
        return reverse("night", args=[league.slug])
    return reverse("night-one", args=[league.slug, which.number])


def _me(request: HttpRequest, league: Competition, who: Acting) -> int | None:
    """The player that this browser speaks for: its own, or with the players' link who it said it
    is."""
    said = request.session.get(ME, {}).get(str(league.pk)) if who.role is not None else None
    player = session_player(request)
    entered = player is not None and league.entries.filter(player=player).exists()
    return player.pk if player is not None and entered else said
