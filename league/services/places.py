"""Places of a club: made once, with a code that stays."""

from django.db import transaction

from config.kit import codes
from league.models import Club, Place
from league.queries import roles
from league.queries.locks import lock_club

CODE_LENGTH = 10
MOST_PLACES = 60


def upto(club_id: int, number: int, by: int) -> list[Place]:
    """Places 1 to `number` at least; those there are keep their codes. Raises
    `NotOrganiserError`."""
    with transaction.atomic(durable=True):
        club = lock_club(club_id)
        roles.require_organiser(club, by)
        return upto_inside(club, number)


def upto_inside(club: Club, number: int) -> list[Place]:
    """`upto` for a service that holds the club's lock."""
    have = set(Place.objects.filter(club=club).values_list("number", flat=True))
    wanted = set(range(1, min(number, MOST_PLACES) + 1)) - have
    Place.objects.bulk_create(
        Place(club=club, number=at, code=codes.code(CODE_LENGTH)) for at in sorted(wanted)
    )
    return list(Place.objects.filter(club=club).order_by("number"))
