"""The league of a page's address, and who acts there."""

from __future__ import annotations

from typing import NamedTuple

from django.http import Http404, HttpRequest

from league.models import Competition
from league.pages import acting
from league.pages.acting import Acting


class Found(NamedTuple):
    """A league that this browser may see, and who it is that looks."""

    league: Competition
    who: Acting


def league(request: HttpRequest, slug: str) -> Found:
    """A league by its slug; 404 for tournaments, which have a page of their own, for those of
    private clubs seen from outside, and for rehearsals seen by others than their club."""
    leagues = Competition.objects.filter(slug=slug, kind=Competition.Kind.LEAGUE)
    found = leagues.select_related("club", "rules").first()
    if found is None:
        raise Http404
    who = acting.of_club(request, found.club)
    if found.rehearsal and who.role is None:
        raise Http404
    return Found(found, who)


def keeper(request: HttpRequest, slug: str) -> tuple[Competition, Acting, int]:
    """The same for who keeps scores, with the player by whom he does; 404 for others."""
    found, who = league(request, slug)
    if not who.keeps_scores or who.player_id is None:
        raise Http404
    return found, who, who.player_id


def organiser(request: HttpRequest, slug: str) -> tuple[Competition, Acting, int]:
    """The same for organisers; 404 for others."""
    found, who = league(request, slug)
    return found, who, acting.require_organiser(who)
