"""Forms about guests: a code to claim one, who he really is, his name taken away; and the door for
who has a code."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from config.kit.errors import ServiceError
from config.kit.throttle import TooManyTriesError, count
from games.authentication import SESSION_KEY, session_player
from league.pages import acting
from league.pages.acting import require_organiser
from league.pages.opening import tries
from league.pages.refusals import done, told
from league.services import guests


@never_cache
@require_POST
def offer(request: HttpRequest, slug: str, player_id: int) -> HttpResponse:
    """A code by which somebody becomes this guest, shown once."""
    who = acting.in_club(request, slug)
    by = require_organiser(who)
    try:
        code = guests.offer(who.club.pk, player_id, by)
    except ServiceError as error:
        messages.error(request, told(error))
        return redirect(reverse("club", args=[slug]))
    return render(request, "league/club/offer.html", {"club": who.club, "code": code})


@require_POST
def merge(request: HttpRequest, slug: str, player_id: int) -> HttpResponseRedirect:
    """The guest is really another member."""
    who = acting.in_club(request, slug)
    by = require_organiser(who)
    kept = request.POST.get("into", "")
    kept_id = int(kept) if kept.isascii() and kept.isdecimal() and len(kept) < 18 else 0
    address = reverse("club", args=[slug])
    return done(
        request, address, lambda: guests.merge(who.club.pk, player_id, kept_id, by), "Merged."
    )


@require_POST
def unmerge(request: HttpRequest, slug: str, merge_id: int) -> HttpResponseRedirect:
    """They are two after all."""
    who = acting.in_club(request, slug)
    by = require_organiser(who)
    address = reverse("club", args=[slug])
    return done(request, address, lambda: guests.unmerge(who.club.pk, merge_id, by), "Undone.")


@require_POST
def anonymise(request: HttpRequest, slug: str, player_id: int) -> HttpResponseRedirect:
    """Take the name away for good, if that is really meant."""
    who = acting.in_club(request, slug)
    by = require_organiser(who)
    address = reverse("club", args=[slug])
    if "sure" not in request.POST:
        messages.error(request, "Tick that you are sure: the name does not come back.")
        return redirect(address)
    gone = "The name is gone, the results stay."
    return done(request, address, lambda: guests.anonymise(who.club.pk, player_id, by), gone)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def claim(request: HttpRequest) -> HttpResponse:
    """`/claim/`: become a guest by the code that an organiser gave."""
    if request.method != "POST":
        return render(request, "league/club/claim.html", {})
    own = session_player(request)
    # Who has no account yet has nothing but this browser: it becomes the guest's.
    mine = own.pk if own is not None and own.user_id is not None else None
    try:
        count([tries(request)])
        player = guests.claim(request.POST.get("code", ""), mine)
    except ServiceError as error:
        status = 429 if isinstance(error, TooManyTriesError) else 404
        return render(request, "league/club/claim.html", {"refusal": told(error)}, status=status)
    if mine is None:
        request.session.cycle_key()
        request.session[SESSION_KEY] = player.pk
    return render(request, "league/club/claimed.html", {"player": player, "account": mine})
