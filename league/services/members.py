"""Members of a club: added, given a role, removed. All under the club's lock, all logged.

Owners make anybody anything; organisers make scorekeepers and members; who is neither may leave.
"""

from collections.abc import Sequence

from django.db import transaction

from config.kit import acts, names, receipts
from games.models import Player, Token
from league.errors import (
    AlreadyMemberError,
    LastOwnerError,
    NotMemberError,
    NotOrganiserError,
    NotOwnerError,
    PeopleOnlyError,
    PlayerNotFoundError,
)
from league.models import Club, Membership
from league.queries import roles, visible
from league.queries.locks import lock_club
from league.queries.members import of_club

Role = Membership.Role
_TOP = (Role.OWNER, Role.ORGANISER)


def add_guest(
    club_id: int,
    name: str,
    by: int,
    role: Role = Role.MEMBER,
    receipt: receipts.Draft | None = None,
) -> Membership:
    """Make a guest, a player without an account, and a member of him.

    Raises `BadNameError`, `NotOrganiserError`, `NotOwnerError`.
    """
    kept = names.checked(name)
    with transaction.atomic(durable=True):
        before = _repeated(receipt)
        if before is not None:
            return before
        club = lock_club(club_id)
        _require(club, by, role)
        (member,) = add_guests_inside(club, [kept], by, role)
        receipts.keep(receipt, {"member": member.pk})
        return member


def add_player(
    club_id: int,
    player_id: int,
    by: int,
    role: Role = Role.MEMBER,
    receipt: receipts.Draft | None = None,
) -> Membership:
    """Make a member of a player who is known. Raises `PlayerNotFoundError`, `PeopleOnlyError`,
    `AlreadyMemberError`, `NotOrganiserError`, `NotOwnerError`."""
    with transaction.atomic(durable=True):
        before = _repeated(receipt)
        if before is not None:
            return before
        club = lock_club(club_id)
        _require(club, by, role)
        player = visible.player(player_id, by)
        if player.agent_ref:
            raise PeopleOnlyError("Bots belong to their owners, not to clubs.")
        if _is_made_by_a_club(player):
            raise PlayerNotFoundError("There is no such player.", player=player_id)
        known = Membership.objects.filter(club=club, player=player).first()
        if known is not None:
            raise AlreadyMemberError("The player is a member already.", role=known.role)
        member = Membership.objects.create(club=club, player=player, role=role)
        _log(by, "member.added", club, player.pk, role)
        receipts.keep(receipt, {"member": member.pk})
        return member


def add_guests_inside(
    club: Club, checked: Sequence[str], by: int, role: Role = Role.MEMBER
) -> list[Membership]:
    """Guests by names that are checked, for a service that holds the club's lock."""
    guests = Player.objects.bulk_create(
        Player(kind=Player.Kind.GUEST, name=name, name_key=names.folded(name)) for name in checked
    )
    members = Membership.objects.bulk_create(
        Membership(club=club, player=guest, role=role) for guest in guests
    )
    for member in members:
        _log(by, "member.added", club, member.player_id, role)
    return members


def change_role(club_id: int, player_id: int, role: Role, by: int) -> Membership:
    """Give a member another role; the same again changes nothing.

    Raises `NotMemberError`, `NotOrganiserError`, `NotOwnerError`, `LastOwnerError`.
    """
    with transaction.atomic(durable=True):
        club = lock_club(club_id)
        _require(club, by, role)
        member = _member(club, player_id)
        _require(club, by, Role(member.role))
        if member.role == role:
            return member
        _keep_an_owner(club, member)
        member.role = role
        member.save(update_fields=["role"])
        _log(by, "member.changed", club, player_id, role)
        return member


def call(club_id: int, player_id: int, nickname: str, by: int) -> Membership:
    """Give a member the name that the club calls him by, "" for his own; he may do so himself.

    Raises `BadNameError`, `NotMemberError`, `NotOrganiserError`.
    """
    kept = names.checked(nickname) if nickname.strip() else ""
    with transaction.atomic(durable=True):
        club = lock_club(club_id)
        if by != player_id:
            _require(club, by)
        member = _member(club, player_id)
        if member.nickname != kept:
            member.nickname = kept
            member.save(update_fields=["nickname"])
            _log(by, "member.named", club, player_id, Role(member.role))
        return member


def remove(club_id: int, player_id: int, by: int) -> None:
    """Take a member out, or leave; results stay. Raises `NotMemberError`, `LastOwnerError`,
    `NotOrganiserError`, `NotOwnerError`."""
    with transaction.atomic(durable=True):
        club = lock_club(club_id)
        if by != player_id:
            _require(club, by)
        member = _member(club, player_id)
        if by != player_id:
            _require(club, by, Role(member.role))
        _keep_an_owner(club, member)
        _log(by, "member.removed", club, player_id, Role(member.role))
        member.delete()


def _repeated(receipt: receipts.Draft | None) -> Membership | None:
    """Whom a request that was sent before has added, None if it is new."""
    outcome = receipts.repeated(receipt)
    if outcome is None:
        return None
    return Membership.objects.select_related("player").get(pk=outcome["member"])


def _is_made_by_a_club(player: Player) -> bool:
    """Guests who never spoke for themselves belong to the club that made them: another one that
    could add them could merge them or take their names."""
    guest = player.kind == Player.Kind.GUEST and player.user_id is None
    return guest and not Token.objects.filter(player=player).exists()


def _member(club: Club, player_id: int) -> Membership:
    member = of_club(club).filter(player=player_id).first()
    if member is None:
        raise NotMemberError("The player is no member.", player=player_id)
    return member


def _require(club: Club, by: int, *concerned: Role) -> None:
    """Whether `by` may give and take these roles."""
    own = roles.role_in(club, by)
    if own not in _TOP:
        raise NotOrganiserError("Only the club's organisers may do this.")
    if own != Role.OWNER and any(role in _TOP for role in concerned):
        raise NotOwnerError("Only an owner makes and unmakes owners and organisers.")


def _keep_an_owner(club: Club, member: Membership) -> None:
    if member.role != Role.OWNER:
        return
    others = Membership.objects.filter(club=club, role=Role.OWNER).exclude(pk=member.pk)
    if not others.exists():
        raise LastOwnerError("The club would have no owner left.")


def _log(by: int, verb: str, club: Club, player_id: int, role: Role) -> None:
    acts.log(f"player:{by}", verb, f"club:{club.pk}", player=player_id, role=role.value)
