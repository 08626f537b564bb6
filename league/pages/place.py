"""What the code on a table opens: who sits there, who was last, does a second seat agree.

The code is the key of this page: who has it sits at the table. Each tap is a form of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from config.kit.errors import ServiceError
from config.kit.throttle import Limit, TooManyTriesError, count
from games.authentication import session_player
from league.errors import NobodySitsError, PlaceNotFoundError, ResultChangedError
from league.formats.saying import Step
from league.models import DealResult, Membership, Place
from league.pages.acting import LINKS_KEY, Acting
from league.pages.devices import device_of, remember
from league.pages.refusals import told
from league.queries.sitting import Sitting, last_of, place_of, sitting_at
from league.services import at_table
from league.services.at_table import Speaker
from league.services.typed_tables import By
from league.tasks import follow_up

# A whole club taps behind one address; a code has 50 bits.
MOST_LOOKS, WITHIN_S = 1500, 300
_SAID = {
    Step.REPORT: "Told. Somebody else of the table confirms it on another phone.",
    Step.CONFIRM: "Saved: it counts.",
    Step.AMEND: "Changed: it counts.",
    Step.DISPUTE: "Two of the table say different things: an organiser decides.",
    Step.RULE: "Decided: it counts.",
    Step.NOTHING: "That is what stands there.",
}


@dataclass(frozen=True)
class Here:
    """A phone at a place."""

    place: Place
    sitting: Sitting | None
    device: bytes
    keeper: int | None
    """The player by whom somebody who keeps scores acts."""

    @property
    def seat(self) -> int | None:
        """The entry that this phone speaks for."""
        return at_table.seat_of(self.sitting, self.device) if self.sitting else None


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def place(request: HttpRequest, code: str) -> HttpResponse:
    """`/t/<code>/`"""
    address = str(request.META.get("REMOTE_ADDR", ""))
    try:
        count([Limit("place", address, MOST_LOOKS, WITHIN_S)])
    except TooManyTriesError as error:
        return HttpResponse(told(error), status=429, content_type="text/plain")
    device, fresh = device_of(request)
    found = _place(code)
    here = Here(found, sitting_at(found), device, _keeper(request, found))
    if request.method == "POST":
        return remember(request, _posted(request, here), fresh)
    answer = render(request, "league/club/place.html", _shown(here))
    answer["X-Robots-Tag"] = "noindex"
    answer["Referrer-Policy"] = "same-origin"
    return remember(request, answer, fresh)


def _place(code: str) -> Place:
    try:
        return place_of(code)
    except PlaceNotFoundError:
        raise Http404 from None


def _posted(request: HttpRequest, here: Here) -> HttpResponse:
    try:
        messages.success(request, _act(request, here))
    except ResultChangedError:
        messages.warning(request, "Something else stands there meanwhile: look at it first.")
    except ServiceError as error:
        messages.error(request, told(error))
    return redirect(reverse("place", args=[here.place.code]))


def _act(request: HttpRequest, here: Here) -> str:
    """Do what was tapped and say so."""
    sitting, form = here.sitting, request.POST
    if sitting is None or not sitting.takes_results:
        raise NobodySitsError("Nobody sits here now.")
    if "sit" in form:
        at_table.sit(sitting, here.device, _number(form["sit"]))
        return "Now tap who was last."
    speaker = _speaker(here, sitting)
    deal, seen = _number(form.get("deal", "")), _number(form.get("seen", "")) or None
    if "undo" in form:
        at_table.take_back(sitting, _number(form["undo"]), speaker.by)
        return "Taken back."
    if "last" in form:
        entered = at_table.tell_last(sitting, deal, _number(form["last"]), speaker, seen)
    else:
        entered = at_table.tell(sitting, deal, _order(form, sitting), speaker, seen)
    follow_up(entered.due)
    return _SAID[entered.step]


def _speaker(here: Here, sitting: Sitting) -> Speaker:
    if here.keeper is not None:
        return Speaker(By(here.keeper, organiser=True))
    return at_table.speaker(sitting, here.device)


def _order(form: Any, sitting: Sitting) -> list[list[int]]:
    """Places from the selects, one a seat; nobody placed: the deal was abandoned."""
    if "abandoned" in form:
        return []
    if "agree" in form:
        row = sitting.by_deal.get(_number(form.get("deal", "")))
        return row.places if row is not None else []
    chosen = {number: _number(form.get(f"place-{number}", "")) for number in sitting.numbers}
    ranks = sorted(set(chosen.values()))
    return [[number for number, rank in chosen.items() if rank == one] for one in ranks]


def _shown(here: Here) -> dict[str, Any]:
    sitting = here.sitting
    if sitting is None:
        return {"place": here.place, "club": here.place.club, "sitting": None}
    names = {entry.number: entry.player.name for entry in sitting.entries}
    seat = here.seat
    return {
        "place": here.place,
        "club": here.place.club,
        "sitting": sitting,
        "seats": [{"number": number, "name": name} for number, name in names.items()],
        "me": names.get(seat) if seat is not None else None,
        "seat": seat,
        "keeper": here.keeper is not None,
        "deal": sitting.next_deal,
        "ranks": range(1, len(names) + 1),
        "told": [_told(row, names, here) for row in sitting.by_deal.values()],
    }


def _told(row: DealResult, names: dict[int, str], here: Here) -> dict[str, Any]:
    """A deal as it stands, and what this phone may do about it."""
    last = ", ".join(names.get(number, f"no. {number}") for number in last_of(row.places))
    mine = here.seat is not None and names.get(here.seat) and here.sitting is not None
    by_me = bool(mine) and row.entered_by_id == _player_of(here)
    reported = row.state == DealResult.State.REPORTED
    return {
        "deal": row.deal,
        "version": row.version,
        "state": row.state,
        "last": last,
        "by": row.entered_by.name if row.entered_by else "",
        "may_confirm": reported and not by_me and (here.seat is not None or here.keeper),
        "may_undo": (reported and by_me) or here.keeper is not None,
    }


def _player_of(here: Here) -> int | None:
    entries = here.sitting.entries if here.sitting else ()
    return next((entry.player_id for entry in entries if entry.number == here.seat), None)


def _keeper(request: HttpRequest, place: Place) -> int | None:
    """The player by whom this browser keeps scores in the club, None if it does not."""
    player = session_player(request)
    link = request.session.get(LINKS_KEY, {}).get(str(place.club_id))
    mine = (player.pk if player is not None else None, link)
    held = Membership.objects.filter(club=place.club, player__in=[one for one in mine if one])
    for row in held:
        if Acting(place.club, row.player_id, Membership.Role(row.role)).keeps_scores:
            return row.player_id
    return None


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 10 else 0
