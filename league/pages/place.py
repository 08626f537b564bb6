"""What the code on a table opens: who sits there, who was last, does a second seat agree.

The code is the key of this page: who has it sits at the table. Each tap is a form of its own, read
by tapping.py; what is shown stands in place_shown.py.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from config.kit.errors import ServiceError
from league import polite
from league.errors import NobodySitsError, ResultChangedError
from league.formats.saying import Step
from league.models import Place
from league.pages import keys, queued, tapping
from league.pages.at_place import at_place, keeper_of
from league.pages.devices import device_of, remember
from league.pages.place_shown import Contradiction, Here, shown
from league.pages.refusals import told
from league.queries.sitting import Sitting, sitting_at, sitting_of
from league.services import at_table
from league.services.at_table import Speaker
from league.services.typed_tables import By
from league.tasks import follow_up

_SAID = {
    Step.REPORT: "Told. Somebody else of the table confirms it on another phone.",
    Step.CONFIRM: "Saved: it counts.",
    Step.AMEND: "Changed: it counts.",
    Step.DISPUTE: "Two of the table say different things: an organiser decides.",
    Step.RULE: "Decided: it counts.",
    Step.NOTHING: "That is what stands there.",
}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@at_place
def place(request: HttpRequest, found: Place) -> HttpResponse:
    """`/t/<code>/`"""
    device, fresh = device_of(request)
    polite.mark(request, found.club.polite)
    here = Here(found, _sitting(request, found), device, keeper_of(request, found.club))
    answer = _posted(request, here) if request.method == "POST" else _page(request, here)
    return remember(request, answer, fresh)


def _sitting(request: HttpRequest, place: Place) -> Sitting | None:
    """Who sits there now; for a form that was made before, who sat there then."""
    table = tapping.number(request.POST.get("table", ""))
    return sitting_of(place, table) if table else sitting_at(place)


def _page(
    request: HttpRequest, here: Here, contradiction: Contradiction | None = None
) -> HttpResponse:
    context = shown(here, request.GET, contradiction)
    status = 409 if contradiction else 200
    answer = render(request, "league/club/place.html", context, status=status)
    answer["X-Robots-Tag"] = "noindex"
    answer["Referrer-Policy"] = "same-origin"
    return answer


def _posted(request: HttpRequest, here: Here) -> HttpResponse:
    if queued.is_queued(request):
        return queued.answer(
            lambda: _act(request, here), tapping.number(request.POST.get("deal", ""))
        )
    try:
        messages.success(request, _act(request, here))
    except ResultChangedError as error:
        deal = tapping.number(request.POST.get("deal", ""))
        again = replace(here, sitting=_sitting(request, here.place))
        yours: Any = error.data.get("yours", [])
        return _page(request, again, Contradiction(deal, yours))
    except ServiceError as error:
        messages.error(request, told(error))
    return redirect(reverse("place", args=[here.place.code]))


def _act(request: HttpRequest, here: Here) -> str:
    """Do what was tapped and say so."""
    sitting, form = here.sitting, request.POST
    if sitting is None or not sitting.takes_results:
        raise NobodySitsError("Nobody sits here now.")
    if "sit" in form:
        at_table.sit(sitting, here.device, tapping.number(form["sit"]))
        return "Now tap who was last."
    speaker = _speaker(here, sitting)
    receipt = keys.draft(request, speaker.by.actor)
    if "undo" in form:
        at_table.take_back(sitting, tapping.number(form["undo"]), speaker.by, receipt)
        return "Taken back."
    if "sheet" in form:
        deals, due = at_table.confirm_sheet(sitting, speaker, receipt)
        follow_up(due)
        return "Saved: one deal more counts." if deals == 1 else f"Saved: {deals} deals more count."
    deal = tapping.number(form.get("deal", ""))
    said = tapping.told(form, sitting.numbers)
    entered = at_table.tell(sitting, deal, said, speaker, receipt)
    follow_up(entered.due)
    return _SAID[entered.step]


def _speaker(here: Here, sitting: Sitting) -> Speaker:
    if here.keeper is not None:
        return Speaker(By(here.keeper, organiser=True))
    return at_table.speaker(sitting, here.device)
