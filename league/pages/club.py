"""The page of a club: its leagues, members, links and places; forms for who runs it."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.kit.errors import ServiceError
from league.models import ClubLink, Competition, FormerName, Membership, Merge, Place
from league.pages import acting
from league.pages.acting import Acting, require_organiser
from league.pages.opening import shown_once
from league.pages.qr import svg
from league.pages.refusals import done
from league.queries import links as known_links
from league.queries import members as known
from league.services import links, members, places, renaming

MOST_SHOWN = 300
Role = Membership.Role


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """`/club/<slug>/`"""
    who = acting.in_club(request, slug)
    rows = known.of_club(who.club).order_by("player__name", "pk")[:MOST_SHOWN]
    leagues = Competition.objects.filter(club=who.club).order_by("-pk")[:20]
    context = {
        "who": who,
        "club": who.club,
        "members": known.wires(rows, known.alike(who.club)),
        "leagues": leagues,
        "roles": _given(who),
        "links": _links(who) if who.organises else [],
        "merges": _merges(who) if who.organises else [],
        "former": _former(rows) if who.organises else [],
    }
    return render(request, "league/club/club.html", context)


@require_POST
def add_member(request: HttpRequest, slug: str) -> HttpResponseRedirect:
    """Add a guest by name, or somebody who is known by id."""
    who = acting.in_club(request, slug)
    by = require_organiser(who)
    role, player = _role(request), request.POST.get("player", "").strip()
    name = request.POST.get("name", "")

    def add() -> Membership:
        if player:
            return members.add_player(who.club.pk, _number(player), by, role)
        return members.add_guest(who.club.pk, name, by, role)

    return done(request, _address(slug), add, "Added.")


@require_POST
def change_member(request: HttpRequest, slug: str, player_id: int) -> HttpResponseRedirect:
    """Give another role, put a guest's `name` right, or with `remove` take the member out."""
    who = acting.in_club(request, slug)
    by = require_organiser(who)

    def change() -> None:
        if "name" in request.POST:
            renaming.rename(who.club.pk, player_id, request.POST["name"], by)
        elif "remove" in request.POST:
            members.remove(who.club.pk, player_id, by)
        else:
            members.change_role(who.club.pk, player_id, _role(request), by)

    return done(request, _address(slug), change, "Changed.")


@require_POST
def leave(request: HttpRequest, slug: str) -> HttpResponseRedirect:
    """Leave the club oneself."""
    who = acting.in_club(request, slug)
    if who.role is None or who.by_link or who.player_id is None:
        raise Http404
    me, address = who.player_id, "/" if who.club.private else _address(slug)
    try:
        members.remove(who.club.pk, me, me)
    except ServiceError:
        address = _address(slug)
        return done(request, address, lambda: members.remove(who.club.pk, me, me))
    return done(request, address, lambda: None, "You have left the club.")


@never_cache
@require_POST
def renew_link(request: HttpRequest, slug: str, role: str) -> HttpResponse:
    """Make a link anew and show it once; with `revoke` end it."""
    who = acting.in_club(request, slug)
    by = require_organiser(who)
    if role not in ClubLink.Role.values:
        raise Http404
    which = ClubLink.Role(role)
    if "revoke" in request.POST:
        end = "The link has ended."
        return done(request, _address(slug), lambda: links.revoke(who.club.pk, which, by), end)
    issued = links.renew(who.club.pk, which, by)
    # Who made it by the old organiser link, which has ended now, goes on by the new one.
    if who.by_link and which == ClubLink.Role.ORGANISERS:
        acting.remember(request, issued.link)
    return shown_once(request, issued)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sheet(request: HttpRequest, slug: str) -> HttpResponse:
    """`/club/<slug>/codes/`: the codes of the tables, to print; a POST makes more of them."""
    who = acting.in_club(request, slug)
    by = require_organiser(who)
    if request.method == "POST":
        wanted = _number(request.POST.get("tables", ""))
        return done(
            request,
            reverse("club-codes", args=[slug]),
            lambda: places.upto(who.club.pk, wanted, by),
        )
    rows = Place.objects.filter(club=who.club).order_by("number")
    context = {"club": who.club, "places": [_coded(request, row) for row in rows]}
    return render(request, "league/club/sheet.html", context)


def _coded(request: HttpRequest, place: Place) -> dict[str, object]:
    address = request.build_absolute_uri(reverse("place", args=[place.code]))
    return {"number": place.number, "code": svg(address, f"Table {place.number}: {address}")}


def _links(who: Acting) -> list[dict[str, object]]:
    live = {row.role: known_links.wire(row) for row in known_links.live(who.club)}
    return [{"role": role, "link": live.get(role)} for role in ClubLink.Role.values]


def _merges(who: Acting) -> QuerySet[Merge]:
    made = Merge.objects.filter(club=who.club, undone_at=None, gone__anonymised_at=None)
    return made.select_related("gone", "kept").order_by("-pk")[:20]


def _former(rows: QuerySet[Membership]) -> QuerySet[FormerName]:
    """What guests were called before: the newest changes."""
    found = FormerName.objects.filter(player__in=[row.player_id for row in rows])
    return found.select_related("player", "changed_by").order_by("-pk")[:20]


def _given(who: Acting) -> list[str]:
    """The roles that he may give."""
    given = list(Role) if who.owns else [Role.SCOREKEEPER, Role.MEMBER]
    return [role.value for role in reversed(given)] if who.organises else []


def _role(request: HttpRequest) -> Role:
    given = request.POST.get("role", Role.MEMBER.value)
    if given not in Role.values:
        raise Http404
    return Role(given)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 19 else 0


def _address(slug: str) -> str:
    return reverse("club", args=[slug])
