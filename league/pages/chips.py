"""Chips by hand: given or taken with a reason, revoked by another row; for who runs the club.

A form gives `player`, `chips` (below 0: taken), `reason` (a code) and `note`; or it names with
`revoke` the row of the ledger that is taken back. `key` makes it safe to send twice.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.formats.reasons import CHIP_REASONS
from league.models import Competition, Entry, LedgerRow
from league.pages import found, keys, tapping
from league.pages.refusals import done
from league.pages.shown import time
from league.queries import deals
from league.services import chips as by_hand
from league.services.chips import BY_HAND, ByHand
from league.services.notes import Prose

SHOWN = 100


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def chips(request: HttpRequest, slug: str) -> HttpResponse:
    """`/l/<slug>/chips/`"""
    league, _, by = found.organiser(request, slug)
    if request.method != "POST":
        return render(request, "league/club/chips.html", _shown(league))
    return done(
        request,
        reverse("league-chips", args=[slug]),
        lambda: _do(request, league, by),
        "Written into the ledger.",
    )


def _do(request: HttpRequest, league: Competition, by: int) -> None:
    form, actor = request.POST, f"player:{by}"
    receipt = keys.draft(request, actor)
    if "revoke" in form:
        by_hand.revoke(league.pk, tapping.number(form["revoke"]), actor, receipt)
        return
    many = form.get("chips", "").strip()
    number = tapping.number(many.removeprefix("-")) * (-1 if many.startswith("-") else 1)
    reason = form.get("reason", "")
    given = ByHand(
        tapping.number(form.get("player", "")),
        number,
        reason if reason in CHIP_REASONS else "other",
        Prose(form.get("note", "").strip(), by),
    )
    by_hand.give(league.pk, given, actor, receipt)


def _shown(league: Competition) -> dict[str, Any]:
    rows = LedgerRow.objects.filter(competition=league, kind__in=BY_HAND)
    newest = list(rows.order_by("-seq")[:SHOWN])
    revoked = set(rows.filter(body__has_key="revokes").values_list("body__revokes", flat=True))
    names, zone = deals.names(league), league.club.zone
    entries = Entry.objects.filter(competition=league, tally__isnull=False)
    return {
        "league": league,
        "club": league.club,
        "entries": entries.select_related("player").order_by("player__name", "number"),
        "rows": [
            {
                "seq": row.seq,
                "who": names.get(row.body["entry"], f"no. {row.body['entry']}"),
                "chips": row.body["chips"],
                "reason": row.body.get("reason", ""),
                "revokes": row.body.get("revokes"),
                "at": time(row.at, zone),
                "may_revoke": row.seq not in revoked,
            }
            for row in newest
        ],
        "reasons": CHIP_REASONS,
        "key": keys.fresh(),
    }
