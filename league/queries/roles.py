"""Who may do what in a club and with an entry."""

from games.models import Player
from league.errors import NotOrganiserError, NotYourPlayerError
from league.models import Club, Membership

ORGANISERS = (Membership.Role.OWNER, Membership.Role.ORGANISER)


def is_organiser(club: Club, player_id: int) -> bool:
    """Whether the player runs the club."""
    return Membership.objects.filter(club=club, player=player_id, role__in=ORGANISERS).exists()


def keeps_scores(club: Club, player_id: int) -> bool:
    """Whether what the player enters counts at once."""
    roles = (*ORGANISERS, Membership.Role.SCOREKEEPER)
    return Membership.objects.filter(club=club, player=player_id, role__in=roles).exists()


def role_in(club: Club, player_id: int | None) -> Membership.Role | None:
    """What the player is in the club, None for no member."""
    found = Membership.objects.filter(club=club, player=player_id).first()
    return None if found is None else Membership.Role(found.role)


def require_organiser(club: Club, player_id: int) -> None:
    """Raise `NotOrganiserError` unless the player runs the club."""
    if not is_organiser(club, player_id):
        raise NotOrganiserError("Only the club's organisers may do this.")


def require_enterer(club: Club, by: int, who: int | str) -> None:
    """Raise `NotYourPlayerError` unless `by` may enter or withdraw `who`.

    Everybody may for himself and his own bots, organisers for anybody and for house bots.
    """
    if who == by or is_organiser(club, by):
        return
    if isinstance(who, int) and Player.objects.filter(pk=who, owner=by).exists():
        return
    raise NotYourPlayerError("Enter yourself or your own bots.")
