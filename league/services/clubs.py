"""Open a club; its founder is its owner."""

from django.db import IntegrityError, transaction

from league.errors import NotOrganiserError, SlugTakenError
from league.models import Club, Membership

ORGANISERS = (Membership.Role.OWNER, Membership.Role.ORGANISER)


def create(slug: str, name: str, owner_id: int, private: bool = False) -> Club:
    """Open a club. Raises `SlugTakenError`."""
    try:
        with transaction.atomic(durable=True):
            club = Club.objects.create(slug=slug, name=name, private=private)
            Membership.objects.create(club=club, player_id=owner_id, role=Membership.Role.OWNER)
            return club
    except IntegrityError as error:
        raise SlugTakenError("Another club has that address.", slug=slug) from error


def require_organiser(club: Club, player_id: int) -> None:
    """Raise `NotOrganiserError` unless the player runs the club."""
    if not Membership.objects.filter(club=club, player=player_id, role__in=ORGANISERS).exists():
        raise NotOrganiserError("Only the club's organisers may do this.")
