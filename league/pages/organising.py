"""Forms of who runs a club that change the club itself, or open a league's next season."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from config.kit.errors import ServiceError
from league.pages import acting, found, keys
from league.pages.refusals import done
from league.services import clubs, members, seasons


@require_POST
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """`/club/<slug>/settings`: whether the club is private, and whether it is polite."""
    who = acting.in_club(request, slug)
    by = acting.require_organiser(who)
    chosen = {"private": "private" in request.POST, "polite": "polite" in request.POST}
    return done(
        request,
        reverse("club", args=[slug]),
        lambda: clubs.change(who.club.pk, by, chosen),
        "Changed.",
    )


@require_POST
def nickname(request: HttpRequest, slug: str, player_id: int) -> HttpResponse:
    """`/club/<slug>/members/<player>/nickname`: what the club calls a member."""
    who = acting.in_club(request, slug)
    by = who.player_id if who.player_id == player_id else acting.require_organiser(who)
    assert by is not None
    name = request.POST.get("nickname", "")
    return done(
        request,
        reverse("club", args=[slug]),
        lambda: members.call(who.club.pk, player_id, name, by),
        "Changed.",
    )


@require_POST
def season(request: HttpRequest, slug: str) -> HttpResponse:
    """`/l/<slug>/season/`: the next season of a league; goes to its page."""
    league, _, by = found.organiser(request, slug)
    actor, name = f"player:{by}", request.POST.get("name", "")
    try:
        made = seasons.follow(league.pk, name, actor, receipt=keys.draft(request, actor))
    except ServiceError as error:
        refusal = error

        def refuse() -> None:
            raise refusal

        return done(request, reverse("league", args=[slug]), refuse)
    return redirect("league", made.slug)
