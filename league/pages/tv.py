"""The wall of a night: seats, clock and standings on one screen, kept current by `live.js`."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from config.kit import etag
from league.models import Competition
from league.pages.found import league as league_found
from league.pages.seated import newest_round, ranked, tables_of
from league.pages.shown import time

HTML: Final = "text/html; charset=utf-8"
MOST_ROWS, MOST_TABLES = 36, 20
"""What a screen can show without scrolling; who is below is counted."""
_SIZES: Final = (8, 16, 24, MOST_ROWS)


@require_safe
def tv(request: HttpRequest, slug: str) -> HttpResponse:
    """`/l/<slug>/tv/`"""
    found, _ = league_found(request, slug)
    return render(request, "league/club/tv.html", _shown(found))


@require_safe
def tv_live(request: HttpRequest, slug: str) -> HttpResponse:
    """`/l/<slug>/tv/live/`: what changes on it."""
    found, _ = league_found(request, slug)
    body = render_to_string("league/club/tv_live.html", _shown(found))
    return etag.answer_bytes(request, body.encode(), HTML)


def _shown(league: Competition) -> dict[str, Any]:
    drawn, rows = newest_round(league), ranked(league)
    tables = tables_of(drawn)
    return {
        "league": league,
        "club": league.club,
        "round": drawn,
        "since": time(drawn.created_at, league.club.zone) if drawn else None,
        "tables": tables[:MOST_TABLES],
        "more_tables": max(len(tables) - MOST_TABLES, 0),
        "rows": rows[:MOST_ROWS],
        "more": max(len(rows) - MOST_ROWS, 0),
        "word": league.chosen.word,
        "size": next((size for size in _SIZES if len(rows) <= size), MOST_ROWS),
        "many": "few" if len(tables) <= 4 else "some" if len(tables) <= 9 else "many",
    }
