"""Disputes for who runs the club: what each version would make of the standings, and the ruling."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.pages import found, keys, tapping
from league.pages.outcomes import outcome
from league.queries import deals
from league.queries.disputes import disputes as disputed


@never_cache
@require_safe
def disputes(request: HttpRequest, slug: str) -> HttpResponse:
    """`/l/<slug>/disputes/`; each is ruled by the form of its deal (deal.py)."""
    league, _, _ = found.organiser(request, slug)
    names = deals.names(league)
    rows = [
        {
            "at": one,
            "versions": [
                {
                    "words": outcome(version["places"], names),
                    "form": tapping.written(version["places"]),
                    "chips": [
                        (names.get(int(number), f"no. {number}"), chips)
                        for number, chips in version["chips"].items()
                    ],
                }
                for version in one["versions"]
            ],
        }
        for one in disputed(league)
    ]
    context = {"league": league, "club": league.club, "disputes": rows, "key": keys.fresh()}
    return render(request, "league/club/disputes.html", context)
