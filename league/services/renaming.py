"""A guest's name is put right: everywhere at once, since rows hold players and not names.

The act log says who did it and refers to the old name, which is kept beside it and goes when the
guest's name goes for good. Who speaks for himself is not renamed by others.
"""

from django.db import transaction

from config.kit import acts, names, receipts
from league.models import FormerName, Membership
from league.queries import roles
from league.queries.locks import lock_club
from league.queries.members import of_club
from league.services.guests import guest_of


def rename(
    club_id: int, player_id: int, name: str, by: int, receipt: receipts.Draft | None = None
) -> Membership:
    """Give a guest another name; the same again changes nothing.

    Raises `BadNameError`, `NotOrganiserError`, `NotMemberError`, `NotAGuestError`.
    """
    kept = names.checked(name)
    with transaction.atomic(durable=True):
        repeated = receipts.repeated(receipt)
        club = lock_club(club_id)
        roles.require_organiser(club, by)
        guest = guest_of(club, player_id)
        if repeated is None and guest.name != kept:
            former = FormerName.objects.create(player=guest, name=guest.name, changed_by_id=by)
            guest.name, guest.name_key = kept, names.folded(kept)
            guest.save(update_fields=["name", "name_key"])
            about = {"player": guest.pk, "former": former.pk}
            acts.log(f"player:{by}", "player.renamed", f"club:{club.pk}", **about)
        if repeated is None:
            receipts.keep(receipt, {})
        return of_club(club).get(player=guest)
