"""The league of an address, and who asks; 404 for what he may not know of."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from league.models import Competition
from league.pages import acting
from league.pages.acting import Acting


def league_of(request: HttpRequest, slug: str) -> tuple[Competition, Acting]:
    """A league that this browser may see; 404 for tournaments too, which have a page."""
    leagues = Competition.objects.filter(slug=slug, kind=Competition.Kind.LEAGUE)
    found = leagues.select_related("club", "rules").first()
    if found is None:
        raise Http404
    return found, acting.of_club(request, found.club)
