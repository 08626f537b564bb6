"""Open a club; its founder is its owner."""

from collections.abc import Mapping

from django.db import IntegrityError, transaction

from config.kit import acts, names, receipts
from league.errors import SlugTakenError
from league.models import Club, Membership
from league.queries import roles
from league.queries.locks import lock_club


def create(
    slug: str,
    name: str,
    owner_id: int,
    private: bool = False,
    receipt: receipts.Draft | None = None,
) -> Club:
    """Open a club. Raises `SlugTakenError`, `BadNameError`."""
    kept = names.checked(name)
    try:
        with transaction.atomic(durable=True):
            outcome = receipts.repeated(receipt)
            if outcome is not None:
                return Club.objects.get(pk=outcome["club"])
            club = Club.objects.create(slug=slug, name=kept, private=private)
            Membership.objects.create(club=club, player_id=owner_id, role=Membership.Role.OWNER)
            receipts.keep(receipt, {"club": club.pk})
            return club
    except IntegrityError as error:
        raise SlugTakenError("Another club has that address.", slug=slug) from error


def change(club_id: int, by: int, changed: Mapping[str, bool]) -> Club:
    """Set whether it is `private` and whether it is `polite`. Raises `NotOrganiserError`."""
    with transaction.atomic(durable=True):
        club = lock_club(club_id)
        roles.require_organiser(club, by)
        for name, value in changed.items():
            setattr(club, name, value)
        club.save(update_fields=["private", "polite"])
        acts.log(f"player:{by}", "club.changed", f"club:{club.pk}", **changed)
        return club
