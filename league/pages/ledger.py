"""The ledger of a league, each row in words, and for who runs it the log of who did what."""

from __future__ import annotations

from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.kit.models import Act
from config.kit.paging import page
from games.models import Player
from league.models import Competition, LedgerRow
from league.pages import act_words, found, ledger_words, tapping
from league.pages.shown import time
from league.queries import deals, documents, ledger_rows
from league.queries.ledger_rows import Group, Wanted

Kind = LedgerRow.Kind
_CORRECTIONS = ledger_rows.KINDS[Group.CORRECTIONS]
ACTS_A_PAGE = 50


@require_safe
def ledger(request: HttpRequest, slug: str) -> HttpResponse:
    """`/l/<slug>/ledger/`; `?player=` (an entry's number), `?night=`, `?kind=`, `?before=`."""
    league, who = found.league(request, slug)
    wanted = _wanted(request)
    rows = ledger_rows.rows(league, wanted)
    names, newest = deals.names(league), ledger_rows.newest_versions(rows.rows)
    context: dict[str, Any] = {
        "league": league,
        "club": league.club,
        "who": who,
        "rows": [_row(league, row, names, newest) for row in rows.rows],
        "next": _address(request, rows.next) if rows.next else "",
        "wanted": wanted,
        "players": sorted(names.items(), key=lambda pair: (pair[1].casefold(), pair[0])),
        "nights": [night for night, _ in ledger_rows.nights(league)],
        "groups": list(Group),
        "head": bytes(league.ledger_head).hex(),
    }
    return render(request, "league/club/ledger.html", context)


@never_cache
@require_safe
def acts(request: HttpRequest, slug: str) -> HttpResponse:
    """`/l/<slug>/acts/`: who did what, the newest first; for organisers."""
    league, _, _ = found.organiser(request, slug)
    before = tapping.number(request.GET.get("before", "")) or None
    rows = page(documents.acts_of(league), "-id", before, ACTS_A_PAGE, lambda cursor: cursor)
    names = _actors(rows.rows)
    context = {
        "league": league,
        "club": league.club,
        "rows": [
            {
                "who": names.get(row.actor, row.actor),
                "words": act_words.words(row, deals_of=f"competition:{league.pk}"),
                "at": time(row.at, league.club.zone),
            }
            for row in rows.rows
        ],
        "next": f"?before={rows.next}" if rows.next else "",
    }
    return render(request, "league/club/acts.html", context)


def _wanted(request: HttpRequest) -> Wanted:
    asked = request.GET
    try:
        night = date.fromisoformat(asked["night"]) if asked.get("night") else None
        group = Group(asked["kind"]) if asked.get("kind") else None
    except ValueError:
        raise Http404 from None
    number = tapping.number
    return Wanted(number(asked.get("player", "")), night, group, number(asked.get("before", "")))


def _row(
    league: Competition, row: LedgerRow, names: dict[int, str], newest: dict[int, int]
) -> dict[str, Any]:
    later = newest.get(row.seq, row.seq)
    body = row.body
    result = row.kind.startswith("result.") and row.table_ref is not None
    place = (body["round"], body["table"], body.get("deal", 1)) if result else None
    return {
        "seq": row.seq,
        "at": time(row.at, league.club.zone),
        "words": ledger_words.words(row, names),
        "where": ledger_words.where(body),
        "correction": row.kind in _CORRECTIONS,
        "version": body.get("version", 1) if result else 1,
        "later": later if later != row.seq else None,
        "reason": body.get("reason", ""),
        "own_table": bool(body.get("own_table")),
        "deal": reverse("league-deal", args=[league.slug, *place]) if place else "",
        "hash": bytes(row.hash).hex(),
    }


def _address(request: HttpRequest, before: str) -> str:
    asked = {name: value for name, value in request.GET.items() if value}
    return f"?{urlencode({**asked, 'before': before})}"


def _actors(rows: list[Act]) -> dict[str, str]:
    ids = {row.actor.partition(":")[2] for row in rows if row.actor.startswith("player:")}
    players = Player.objects.filter(pk__in=[int(one) for one in ids if one.isdecimal()])
    return {f"player:{one.pk}": one.name for one in players}
