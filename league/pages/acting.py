"""Who acts on the pages of a club: the player of the browser, or a link that was opened in it.

A link stands beside the player, never in his place: a session holds the links it has opened by
club, and each is asked again at every request, so one that has ended opens nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.http import Http404, HttpRequest

from games.authentication import session_player
from league import polite
from league.models import Club, ClubLink, Membership
from league.queries.roles import ORGANISERS

LINKS_KEY: Final = "links"
Role = Membership.Role
_BEST_FIRST: Final = (Role.OWNER, Role.ORGANISER, Role.SCOREKEEPER, Role.MEMBER)


@dataclass(frozen=True)
class Acting:
    """Somebody on a page of a club. `player_id` None: anybody; `role` None: no member."""

    club: Club
    player_id: int | None
    role: Role | None
    by_link: bool = False

    @property
    def organises(self) -> bool:
        """Whether he runs the club."""
        return self.role in ORGANISERS

    @property
    def owns(self) -> bool:
        """Whether he makes organisers."""
        return self.role == Role.OWNER

    @property
    def keeps_scores(self) -> bool:
        """Whether what he enters counts at once."""
        return self.organises or self.role == Role.SCOREKEEPER


def in_club(request: HttpRequest, slug: str) -> Acting:
    """Who acts in the club of this address; 404 for a private one seen from outside."""
    return of_club(request, Club.objects.filter(slug=slug).first())


def of_club(request: HttpRequest, club: Club | None) -> Acting:
    """The same for a club that was found; None and private ones of others are a 404."""
    if club is None:
        raise Http404
    polite.mark(request, club.polite)
    player = session_player(request)
    mine = player.pk if player is not None else None
    link = request.session.get(LINKS_KEY, {}).get(str(club.pk))
    held = Membership.objects.filter(club=club, player__in=[one for one in (mine, link) if one])
    best = min(held, key=lambda row: _BEST_FIRST.index(Role(row.role)), default=None)
    if best is not None:
        return Acting(club, best.player_id, Role(best.role), best.player_id == link)
    if club.private:
        raise Http404
    return Acting(club, mine, None)


def remember(request: HttpRequest, link: ClubLink) -> None:
    """This browser has opened the link."""
    opened = {**request.session.get(LINKS_KEY, {}), str(link.club_id): link.player_id}
    # What was known before the secret was told must not be enough after it.
    request.session.cycle_key()
    request.session[LINKS_KEY] = opened


def require_organiser(acting: Acting) -> int:
    """The player by whom an organiser acts; 404 for everybody else."""
    if not acting.organises or acting.player_id is None:
        raise Http404
    return acting.player_id
