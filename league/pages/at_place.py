"""What each address of a place begins with: the place of its code, and who keeps scores there."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse

from config.kit.throttle import Limit, TooManyTriesError, count
from games.authentication import session_player
from league.errors import PlaceNotFoundError
from league.models import Club, Membership, Place
from league.pages.acting import LINKS_KEY, Acting
from league.pages.refusals import told
from league.queries.sitting import place_of

# A whole club taps behind one address; a code has 50 bits.
MOST_LOOKS, WITHIN_S = 1500, 300


def at_place(
    view: Callable[[HttpRequest, Place], HttpResponse],
) -> Callable[[HttpRequest, str], HttpResponse]:
    """A view of the place that a code names: 404 for none, 429 for who tries too many."""

    @wraps(view)
    def by_code(request: HttpRequest, code: str) -> HttpResponse:
        try:
            found = _counted(request, code)
        except TooManyTriesError as error:
            return HttpResponse(told(error), status=429, content_type="text/plain")
        return view(request, found)

    return by_code


def _counted(request: HttpRequest, code: str) -> Place:
    address = str(request.META.get("REMOTE_ADDR", ""))
    count([Limit("place", address, MOST_LOOKS, WITHIN_S)])
    try:
        return place_of(code)
    except PlaceNotFoundError:
        raise Http404 from None


def keeper_of(request: HttpRequest, club: Club) -> int | None:
    """The player by whom this browser keeps scores in the club, None if it does not."""
    player = session_player(request)
    link = request.session.get(LINKS_KEY, {}).get(str(club.pk))
    mine = (player.pk if player is not None else None, link)
    held = Membership.objects.filter(club=club, player__in=[one for one in mine if one])
    for row in held:
        if Acting(club, row.player_id, Membership.Role(row.role)).keeps_scores:
            return row.player_id
    return None
