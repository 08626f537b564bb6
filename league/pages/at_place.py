"""What each address of a place begins with: the place of its code, and who keeps scores there."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from config.kit.throttle import Limit, count
from games.authentication import session_player
from league.errors import PlaceNotFoundError
from league.models import Club, Membership, Place
from league.pages.acting import LINKS_KEY, Acting
from league.queries.sitting import place_of

# A whole club taps behind one address; a code has 50 bits.
MOST_LOOKS, WITHIN_S = 1500, 300


def counted_place(request: HttpRequest, code: str) -> Place:
    """The place of a code, 404 for none. Raises `TooManyTriesError`."""
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
