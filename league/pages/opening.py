"""The doors of a club: an address with a secret, and the form for a recovery code.

The address that has the secret in it asks nothing and shows nothing: it puts it into a cookie of
two minutes and sends the browser to a clean address, so it stands in no Referer, no history entry
that is kept, and in no line about something that failed.
"""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from config.kit.errors import ServiceError
from config.kit.throttle import Limit, TooManyTriesError, count
from league.models import ClubLink
from league.pages import acting
from league.pages.refusals import told
from league.services import links

COOKIE: Final = "club_link"
SECONDS: Final = 120
# A whole club may stand behind one address. Right ones count too: who holds one link could else
# guess at others between opening it.
MOST_TRIES, WITHIN_S = 100, 300


@never_cache
@require_safe
def secret(request: HttpRequest, secret: str) -> HttpResponse:
    """`/k/<secret>/`: keep the secret for a moment, off to the clean address."""
    response = redirect("link")
    response.set_signed_cookie(
        COOKIE,
        secret[:64],
        max_age=SECONDS,
        path="/k/",
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
    return _quiet(response)


@never_cache
@require_safe
def link(request: HttpRequest) -> HttpResponse:
    """`/k/`: open the link whose secret the cookie holds."""
    kept = request.get_signed_cookie(COOKIE, "", max_age=SECONDS) or ""
    try:
        count([tries(request)])
        found = links.opened(kept)
    except ServiceError as error:
        return _quiet(_door(request, error))
    acting.remember(request, found)
    response = redirect("club", found.club.slug)
    response.delete_cookie(COOKIE, path="/k/")
    return _quiet(response)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def recover(request: HttpRequest) -> HttpResponse:
    """`/recover/`: a fresh organiser link for a recovery code; both are shown once."""
    if request.method != "POST":
        return _quiet(_door(request, None))
    try:
        count([tries(request)])
        issued = links.recover(request.POST.get("code", ""))
    except ServiceError as error:
        return _quiet(_door(request, error))
    acting.remember(request, issued.link)
    return _quiet(shown_once(request, issued))


def shown_once(request: HttpRequest, issued: links.Issued) -> HttpResponse:
    """A link with its secret, which is on this one answer and nowhere else."""
    context = {
        "club": issued.link.club,
        "address": address(request, issued),
        "recovery": issued.recovery,
        "for_organisers": issued.link.role == ClubLink.Role.ORGANISERS,
    }
    return render(request, "league/club/link.html", context)


def address(request: HttpRequest, issued: links.Issued) -> str:
    """What is handed on, whole."""
    return request.build_absolute_uri(f"/k/{issued.secret}/")


def tries(request: HttpRequest) -> Limit:
    """Guesses of links and codes, counted by address."""
    return Limit("club_code", str(request.META.get("REMOTE_ADDR", "")), MOST_TRIES, WITHIN_S)


def _door(request: HttpRequest, error: ServiceError | None) -> HttpResponse:
    status = 200 if error is None else 429 if isinstance(error, TooManyTriesError) else 404
    context = {"refusal": told(error) if error else ""}
    return render(request, "league/club/recover.html", context, status=status)


def _quiet(response: HttpResponse) -> HttpResponse:
    response["Referrer-Policy"] = "no-referrer"
    response["X-Robots-Tag"] = "noindex"
    return response
