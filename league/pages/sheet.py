"""A spreadsheet on a page: looked at first, cell by cell, then entered; for who runs the club.

What was looked at comes back with the form itself, so that nothing else can be entered.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from config.kit.errors import ServiceError
from league.errors import SheetRefusedError
from league.models import Competition
from league.pages import found, keys, tapping
from league.pages.outcomes import outcome
from league.pages.refusals import done, told
from league.queries import deals
from league.services import sheet_imports
from league.services.sheet_imports import Checked
from league.services.sheet_plans import Taken, What
from league.services.typed_tables import By, wire
from league.spreadsheets.reading import MOST_BYTES
from league.tasks import follow_up


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sheet(request: HttpRequest, slug: str) -> HttpResponse:
    """`/l/<slug>/sheet/`"""
    league, _, by = found.organiser(request, slug)
    context: dict[str, Any] = {"league": league, "club": league.club, "kinds": _KINDS}
    if request.method != "POST":
        return render(request, "league/club/spreadsheet.html", context)
    taken = request.POST.get("taken_as", "")
    kind = Taken(taken) if taken in list(Taken) else Taken.AUTO
    data, ruler = _file(request), By(by, organiser=True)
    if "seen" in request.POST:
        seen = tapping.number(request.POST["seen"])

        def enter() -> None:
            draft = keys.draft(request, f"player:{by}")
            follow_up(sheet_imports.enter(league.pk, data, ruler, seen, kind, draft).due)

        return done(request, reverse("league", args=[slug]), enter, "The sheet is entered.")
    status = 200
    try:
        tried = sheet_imports.check(league.pk, data, ruler, kind)
        context |= _shown(league, tried)
    except SheetRefusedError as error:
        context, status = {**context, "faults": error.data["faults"]}, 422
    except ServiceError as error:
        context, status = {**context, "refusal": told(error)}, 422
    context |= {"file": base64.b64encode(data).decode(), "taken_as": kind, "key": keys.fresh()}
    return render(request, "league/club/spreadsheet.html", context, status=status)


def _file(request: HttpRequest) -> bytes:
    """What was sent: a file, or the one that was looked at, as the page has given it back."""
    sent = request.FILES.get("file")
    if isinstance(sent, UploadedFile):
        return bytes(sent.read(MOST_BYTES + 1))
    try:
        return base64.b64decode(request.POST.get("kept", ""), validate=True)
    except (binascii.Error, ValueError):
        return b""


def _shown(league: Competition, tried: Checked) -> dict[str, Any]:
    names = deals.names(league)
    rows = [
        {
            "cell": one.cell,
            "what": one.what.value,
            "says": f"Round {one.where.round}, table {one.where.table}, deal {one.where.deal}",
            "after": outcome(wire(one.places), names),
            "before": "" if one.before is None else outcome(one.before, names),
        }
        for one in tried.plan.results
    ]
    rows += [
        {
            "cell": one.cell,
            "what": one.what.value,
            "says": names.get(one.entry, f"no. {one.entry}"),
            "after": f"{one.chips}",
            "before": f"{one.before}" if one.what is What.CHANGED else "",
        }
        for one in tried.plan.chips
    ]
    return {"rows": rows, "changes": tried.plan.changes, "seen": tried.ledger_seq, "tried": True}


_KINDS = (
    (Taken.AUTO, "What its columns say"),
    (Taken.RESULTS, "Deals of rounds that are seated"),
    (Taken.CHIPS, "Chips of nights that were played elsewhere"),
)
