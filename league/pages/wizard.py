"""`/new/`: from nothing to a league that runs, in four screens; plain forms, no account.

What was said so far is kept in the session, so that every screen can be gone back to. The last one
founds club and league in one transaction and shows the links, once.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.dateparse import parse_datetime
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from config.kit import names
from config.kit.errors import ServiceError
from config.kit.names import BadNameError
from config.kit.throttle import Limit, count
from games.authentication import SESSION_KEY, session_player
from games.engine import PRESETS, EngineError
from league.errors import BadSettingError
from league.formats import name_lists
from league.formats.forecast import Forecast, forecast
from league.formats.sentences import Sentence, sentences
from league.models import Format
from league.pages.acting import remember
from league.pages.opening import address
from league.pages.qr import svg
from league.pages.refusals import told
from league.services import competitions, founding
from league.services.competitions import checked_settings
from league.services.founding import Founded, Founding
from league.tasks import follow_up

KEPT: Final = "wizard"
ZONE: Final = "Europe/Helsinki"
MOST_FOUNDED, WITHIN_S = 30, 3600
_FORMAT: Final = Format.ROUNDS
_BASE: Final = {
    "entrants": "people",
    "results": "typed",
    "next_round": "by_hand",
    "late_entry": True,
}
Said = dict[str, Any]


def _screen(
    request: HttpRequest, at: int, more: Mapping[str, Any], status: int = 200
) -> HttpResponse:
    kept = request.session.get(KEPT, {})
    context = {"at": at, "steps": _STEPS, "said": kept, **more}
    return render(request, f"league/club/new_{at}.html", context, status=status)


def _keep(request: HttpRequest, said: Said) -> None:
    request.session[KEPT] = {**request.session.get(KEPT, {}), **said}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest) -> HttpResponse:
    """The first screen: name and first night."""
    if request.method != "POST":
        return _screen(request, 1, {"zone": ZONE, "player": session_player(request)})
    form = request.POST
    said: Said = {
        "name": form.get("name", ""),
        "founder": form.get("founder", "").strip(),
        "night": form.get("night", ""),
        "zone": form.get("zone", "").strip() or ZONE,
        "public": "public" in form,
        "rehearsal": "rehearsal" in form,
    }
    _keep(request, said)
    try:
        names.checked(said["name"])
        if said["founder"]:
            names.checked(said["founder"])
        _starts_at(said)
    except ServiceError as error:
        return _screen(request, 1, {"refusal": told(error), "zone": said["zone"]}, 422)
    return redirect("new-rules")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def rules(request: HttpRequest) -> HttpResponse:
    """The second screen: by which rules the cards are played."""
    if request.method != "POST":
        return _screen(request, 2, {"presets": list(PRESETS)})
    preset = request.POST.get("preset", "")
    if preset not in PRESETS:
        refusal = {"presets": list(PRESETS), "refusal": "Choose one of these."}
        return _screen(request, 2, refusal, 422)
    _keep(request, {"preset": preset})
    return redirect("new-league")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def league(request: HttpRequest) -> HttpResponse:
    """The third screen: how the league goes, each rule a sentence, and how long it would take."""
    if request.method != "POST":
        return _screen(request, 3, _told(request.session.get(KEPT, {})))
    form = request.POST
    said = {
        "kind": "letters" if form.get("kind") == "letters" else "agreed",
        "rounds": _whole(form.get("rounds", ""), 10),
        "word": form.get("word", "").strip() or "PASKA",
        "deals": _whole(form.get("deals", ""), 3),
        "people": _whole(form.get("people", ""), 8),
        "away": _whole(form.get("away", ""), 20),
    }
    _keep(request, said)
    try:
        checked_settings(_settings(said), _FORMAT)
    except BadSettingError as error:
        return _screen(request, 3, {"refusal": told(error)}, 422)
    if "preview" in form:
        return _screen(request, 3, _told(said, preview=True))
    return redirect("new-players")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest) -> HttpResponse:
    """The last screen: who plays, one a line; then it is founded."""
    said: Said = request.session.get(KEPT, {})
    if request.method != "POST":
        return _screen(request, 4, {"names": said.get("names", "")})
    typed = request.POST.get("names", "")[:20_000]
    _keep(request, {"names": typed})
    listed = name_lists.read(typed, names.checked, BadNameError)
    refusal = "" if len(listed.names) > 1 else "Two players are needed at least."
    if listed.faults or refusal:
        return _screen(
            request, 4, {"names": typed, "faults": listed.faults, "refusal": refusal}, 422
        )
    seat = "seat" in request.POST
    try:
        count([Limit("found", str(request.META.get("REMOTE_ADDR", "")), MOST_FOUNDED, WITHIN_S)])
        made = founding.found(_founding(request, said, listed.names, seat=seat))
    except (ServiceError, EngineError) as error:
        refused = told(error) if isinstance(error, ServiceError) else "These rules can't be."
        return _screen(request, 4, {"names": typed, "refusal": refused}, 422)
    if seat:
        follow_up(competitions.start(made.league.pk))
    return _done(request, made)


def _done(request: HttpRequest, made: Founded) -> HttpResponse:
    """What was founded, with what is shown once; this browser is the founder's."""
    if session_player(request) is None:
        request.session.cycle_key()
        request.session[SESSION_KEY] = made.founder.pk
    remember(request, made.organisers.link)
    request.session.pop(KEPT, None)
    context = {
        "club": made.club,
        "league": made.league,
        "players": address(request, made.players),
        "organisers": address(request, made.organisers),
        "recovery": made.organisers.recovery,
        "places": [
            {"number": one.number, "url": f"/t/{one.code}/", "code": _code(request, one.code)}
            for one in made.places
        ],
    }
    answer = render(request, "league/club/founded.html", context)
    answer["Referrer-Policy"] = "no-referrer"
    return answer


def _code(request: HttpRequest, code: str) -> object:
    whole = request.build_absolute_uri(f"/t/{code}/")
    return svg(whole, whole)


def _founding(
    request: HttpRequest, said: Said, players: tuple[str, ...], *, seat: bool
) -> Founding:
    player = session_player(request)
    return Founding(
        name=said.get("name", ""),
        players=players,
        settings=_settings(said),
        preset=said.get("preset", "table"),
        private=not said.get("public", False),
        rehearsal=said.get("rehearsal", False),
        zone=said.get("zone", ZONE),
        # Who is seated now has begun.
        starts_at=None if seat else _starts_at(said),
        founder=said.get("founder") or "Organiser",
        founder_id=player.pk if player is not None else None,
    )


def _settings(said: Said) -> dict[str, Any]:
    """The settings of one of the two kinds of league."""
    settings = {**_BASE, "deals_per_table": said.get("deals", 3)}
    if said.get("kind") == "letters":
        return {**settings, "rounds": 0, "word": said.get("word", "PASKA"), "first_out": True}
    return {**settings, "rounds": said.get("rounds", 10)}


def _told(said: Said, *, preview: bool = False) -> dict[str, Any]:
    settings = checked_settings(_settings(said), _FORMAT)
    found: list[Sentence] = sentences(settings, _FORMAT)
    seen: Forecast | None = None
    if preview:
        people = min(max(said["people"], 2), 200)
        seen = forecast(people, settings, _FORMAT, min(said["away"], 90) / 100)
    return {"sentences": found, "forecast": seen}


def _starts_at(said: Said) -> datetime | None:
    """The first night in the club's zone. Raises `BadSettingError`."""
    try:
        zone = ZoneInfo(said.get("zone", ZONE))
        night = parse_datetime(said["night"]) if said.get("night") else None
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadSettingError("There is no such time or zone.", field="night") from error
    if said.get("night") and night is None:
        raise BadSettingError("There is no such time.", field="night")
    return None if night is None else night.replace(tzinfo=zone)


def _whole(text: str, usual: int) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else usual


_STEPS: Final[tuple[tuple[str, str], ...]] = (
    ("new", "Name"),
    ("new-rules", "Cards"),
    ("new-league", "League"),
    ("new-players", "Players"),
)
