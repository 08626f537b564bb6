"""Links of a club: made anew, opened, ended, and got back by a recovery code.

One for the players and one for the organisers, at most; making one ends the one before it. A link
acts by a player of its own, who is anonymised when it ends: all that was opened by it ends then.
"""

from typing import NamedTuple

from django.db import transaction
from django.db.models.functions import Now

from config.kit import acts, codes, receipts
from games.models import Player
from league.errors import LinkNotFoundError, RecoveryNotFoundError
from league.models import Club, ClubLink, Membership
from league.queries import roles
from league.queries.locks import lock_club

Role = ClubLink.Role
RECOVERY_LENGTH = 16
_NAMES = {Role.PLAYERS: "Player link", Role.ORGANISERS: "Organiser link"}


class Issued(NamedTuple):
    """A new link. The texts are shown once, and None when a request is repeated; only organisers'
    links have a recovery code."""

    link: ClubLink
    secret: str | None
    recovery: str | None


def renew(club_id: int, role: Role, by: int, receipt: receipts.Draft | None = None) -> Issued:
    """Make a new link and end the old one. Raises `NotOrganiserError`."""
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return Issued(ClubLink.objects.get(pk=outcome["link"]), None, None)
        club = lock_club(club_id)
        roles.require_organiser(club, by)
        issued = issue_inside(club, role)
        acts.log(f"player:{by}", "link.renewed", f"club:{club.pk}", role=role.value)
        receipts.keep(receipt, {"link": issued.link.pk})
        return issued


def issue_inside(club: Club, role: Role) -> Issued:
    """`renew` for a service that holds the club's lock."""
    _end(club, role)
    secret = codes.secret()
    recovery = codes.code(RECOVERY_LENGTH) if role == Role.ORGANISERS else None
    player = Player.objects.create(
        kind=Player.Kind.PERSON, name=_NAMES[role], name_key=f"link:{club.pk}:{role}"
    )
    Membership.objects.create(club=club, player=player, role=Membership.Role(role.value))
    link = ClubLink.objects.create(
        club=club,
        role=role,
        digest=codes.digest(secret),
        recovery=codes.digest(recovery) if recovery else None,
        player=player,
    )
    return Issued(link, secret, codes.grouped(recovery) if recovery else None)


def revoke(club_id: int, role: Role, by: int) -> None:
    """End a link and all that was opened by it. Raises `NotOrganiserError`, `LinkNotFoundError`."""
    with transaction.atomic(durable=True):
        club = lock_club(club_id)
        roles.require_organiser(club, by)
        if not _end(club, role):
            raise LinkNotFoundError("The club has no such link.", role=role.value)
        acts.log(f"player:{by}", "link.revoked", f"club:{club.pk}", role=role.value)


def opened(secret: str) -> ClubLink:
    """The link of this secret, which is being opened. Raises `LinkNotFoundError`."""
    with transaction.atomic(durable=True):
        live = ClubLink.objects.filter(digest=codes.digest(secret), revoked_at=None)
        if not live.update(opened_at=Now()):
            raise LinkNotFoundError("The link is mistyped, or was made anew since.")
        link = live.select_related("club").get()
        target = f"club:{link.club_id}"
        acts.log(f"player:{link.player_id}", "link.opened", target, role=link.role)
        return link


def recover(typed: str) -> Issued:
    """A fresh organiser link, and a fresh code, for the recovery code of the one before.

    Raises `RecoveryNotFoundError`.
    """
    wanted = codes.digest(codes.meant(typed))
    with transaction.atomic(durable=True):
        known = ClubLink.objects.filter(recovery=wanted, revoked_at=None).first()
        club = None if known is None else lock_club(known.club_id)
        # Two who hold the same code: the second finds it used when it gets the lock.
        live = ClubLink.objects.filter(recovery=wanted, revoked_at=None).first()
        if club is None or live is None:
            raise RecoveryNotFoundError("No club has this recovery code.")
        issued = issue_inside(club, Role.ORGANISERS)
        acts.log(f"player:{live.player_id}", "link.recovered", f"club:{club.pk}")
        return issued


def _end(club: Club, role: Role) -> bool:
    live = ClubLink.objects.filter(club=club, role=role, revoked_at=None).first()
    if live is None:
        return False
    Membership.objects.filter(player=live.player_id).delete()
    Player.objects.filter(pk=live.player_id).update(anonymised_at=Now())
    live.revoked_at = Now()
    live.save(update_fields=["revoked_at"])
    return True
