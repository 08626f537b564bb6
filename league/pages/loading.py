"""What a phone loads on the first opening: the tables of a night with who sits there and what is
told, and the pages that must work without a network."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.models import Competition, Place, Round, Table
from league.pages.acting import Acting
from league.pages.at_place import at_place, keeper_of
from league.pages.devices import device_of, remember
from league.pages.found import league as league_found
from league.pages.seated import newest_round
from league.queries import stints
from league.queries.sitting import Sitting, sitting, sitting_at
from league.services import at_table

SHELL = "/t/"


@never_cache
@require_safe
def night(request: HttpRequest, slug: str) -> HttpResponse:
    """`/l/<slug>/night/load`: all tables of the newest round; codes only for who is of the club."""
    found, who = league_found(request, slug)
    device, fresh = device_of(request)
    places = _places(found, who, device) if who.role is not None else []
    page = reverse("night", args=[slug])
    return remember(request, _answer(places, [page], [_ask(found)]), fresh)


@never_cache
@require_safe
@at_place
def place(request: HttpRequest, found: Place) -> HttpResponse:
    """`/t/<code>/load`: the same for one table."""
    device, fresh = device_of(request)
    here = sitting_at(found)
    keeper = keeper_of(request, found.club) is not None
    asks = [_ask(here.competition)] if here else []
    return remember(request, _answer([_wire(found, here, device, keeper)], [], asks), fresh)


def _answer(places: list[dict[str, Any]], pages: list[str], asks: list[str]) -> HttpResponse:
    """`scopes` are what the worker serves, `pages` what it keeps: the page of any table is one."""
    return JsonResponse(
        {"places": places, "pages": [*pages, *asks, SHELL], "scopes": [*pages, *asks, SHELL]}
    )


def _places(league: Competition, who: Acting, device: bytes) -> list[dict[str, Any]]:
    drawn = newest_round(league)
    known = {row.number: row for row in Place.objects.filter(club=league.club)}
    tables = Table.objects.filter(round=drawn, kind=Table.Kind.TYPED) if drawn else ()
    return [
        _wire(known[row.number], sitting(row), device, who.keeps_scores)
        for row in _with_round(tables)
        if row.number in known
    ]


def _with_round(tables: Any) -> Iterable[Table]:
    if not tables:
        return ()
    found: Iterable[Table] = tables.exclude(state=Table.State.VOID).select_related(
        "round__competition__club", "round__competition__rules", "round__stage"
    )
    return found


def _wire(place: Place, here: Sitting | None, device: bytes, keeper: bool) -> dict[str, Any]:
    wire = {"code": place.code, "number": place.number, "keeper": keeper, "table": None}
    if here is None or here.table.round.state == Round.State.VOID:
        return {**wire, "league": place.club.name, "round": 0, "ask": "/rules/"}
    playing = stints.played_by(here.entries, here.table.round.number)
    return {
        **wire,
        "table": here.table.pk,
        "league": here.competition.name,
        "round": here.table.round.number,
        "ask": _ask(here.competition),
        "deals": here.table.deals_planned,
        "seats": [
            {"number": entry.number, "name": playing[entry.pk].name} for entry in here.entries
        ],
        "seat": at_table.seat_of(here, device),
        "told": [
            {"deal": row.deal, "version": row.version, "state": row.state, "places": row.places}
            for row in here.by_deal.values()
        ],
    }


def _ask(league: Competition) -> str:
    return reverse("referee", args=[league.rules.hash])
