"""The first page and the page of a competition, and the parts of both that change.

Every page is whole without JavaScript; the live parts have an address of their own with an ETag,
which `live.js` polls.
"""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from config.kit import etag
from league.models import Competition, Schedule
from league.pages import acting
from league.pages.shown import Shown, shown, slot_time
from league.queries import documents, visible

RECENT = 8
SLOTS = 5
HTML = "text/html; charset=utf-8"


def home(request: HttpRequest) -> HttpResponse:
    """`/`: a tournament in view, three doors, what comes next."""
    return render(request, "league/home.html", _home(request))


def home_live(request: HttpRequest) -> HttpResponse:
    """`/live/`: what changes on the first page."""
    return _fragment(request, "league/home_live.html", _home(request))


def competition(request: HttpRequest, slug: str) -> HttpResponse:
    """`/c/<slug>/`: bracket, live tables, standings, tallies, schedule."""
    return render(request, "league/competition.html", {"c": _shown(request, slug)})


def competition_live(request: HttpRequest, slug: str) -> HttpResponse:
    """`/c/<slug>/live/`: what changes on that page."""
    return _fragment(request, "league/competition_live.html", {"c": _shown(request, slug)})


def _fragment(request: HttpRequest, template: str, context: dict[str, object]) -> HttpResponse:
    return etag.answer_bytes(request, render_to_string(template, context).encode(), HTML)


def _shown(request: HttpRequest, slug: str) -> Shown:
    rows = Competition.objects.select_related("club", "rules")
    found = rows.filter(slug=slug).first()
    if found is None:
        raise Http404
    # A link that was opened here shows a private club's tournament too.
    acting.of_club(request, found.club)
    return shown(found)


def _home(request: HttpRequest) -> dict[str, object]:
    seen = visible.competitions(None)
    current = (
        seen.filter(state=Competition.State.RUNNING).order_by("-started_at").first()
        or seen.filter(state=Competition.State.FINISHED).order_by("-finished_at").first()
        or seen.filter(state=Competition.State.OPEN).order_by("starts_at").first()
    )
    coming = visible.schedules(None).filter(enabled=True, next_at__isnull=False)
    return {
        "c": shown(current) if current else None,
        "recent": seen.order_by("-pk")[:RECENT],
        "slots": [_slot(row) for row in coming.order_by("next_at")[:SLOTS]],
    }


def _slot(row: Schedule) -> dict[str, object]:
    wire = documents.schedule(row)
    return {"schedule": wire, "time": slot_time(wire)}
