"""Standings for the page of somebody else: the one page that may stand in a frame.

No form, no session, no cookie is read or set, so that a frame can't act for anybody; a private
club's is not there, for members neither.
"""

from __future__ import annotations

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from league.models import Competition
from league.pages.seated import newest_round, ranked, tables_of


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type] # knows no arguments
@cache_control(max_age=30, public=True)
def embed(request: HttpRequest, slug: str) -> HttpResponse:
    """`/l/<slug>/embed/`"""
    kind = Competition.Kind.LEAGUE
    leagues = Competition.objects.filter(slug=slug, kind=kind, rehearsal=False, club__private=False)
    found = leagues.select_related("club", "rules").first()
    if found is None:
        raise Http404
    drawn = newest_round(found)
    context = {
        "league": found,
        "club": found.club,
        "rows": ranked(found),
        "word": found.chosen.word,
        "round": drawn,
        "tables": tables_of(drawn) if found.state == Competition.State.RUNNING else [],
    }
    return render(request, "league/club/embed.html", context)
