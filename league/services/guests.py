"""Guests who turn out to be somebody: claimed by code, merged into a player, or made nameless.

A merge moves entries, so results and standings stay as they are and tell of the other player; the
ledger gets a row for each. It is undone as long as what was moved can still be told apart.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from config.kit import acts, clock, codes
from games.models import GameRecord, Player, Seat, Token
from games.services.players import make_nameless
from league.errors import (
    BadClaimCodeError,
    BothEnteredError,
    MergedSinceError,
    MergeNotFoundError,
    NotAGuestError,
    NotMemberError,
    PeopleOnlyError,
    SeatedTogetherError,
)
from league.models import (
    Claim,
    Club,
    Competition,
    DealResult,
    Entry,
    FormerName,
    LedgerRow,
    Membership,
    Merge,
    PenaltyTally,
    Stint,
)
from league.queries import roles, together
from league.queries.locks import lock_club, lock_competition
from league.queries.members import of_club
from league.services import ledger, notes

CODE_LENGTH = 12
CODE_FOR = timedelta(days=14)


def offer(club_id: int, player_id: int, by: int) -> str:
    """A code by which whoever holds it becomes this guest; it is shown once.

    Raises `NotOrganiserError`, `NotMemberError`, `NotAGuestError`.
    """
    with transaction.atomic(durable=True):
        club = lock_club(club_id)
        roles.require_organiser(club, by)
        guest = guest_of(club, player_id)
        code = codes.code(CODE_LENGTH)
        Claim.objects.create(
            club=club, player=guest, digest=codes.digest(code), expires_at=clock.now() + CODE_FOR
        )
        acts.log(f"player:{by}", "guest.offered", f"club:{club.pk}", player=guest.pk)
        return codes.grouped(code)


def claim(typed: str, player_id: int | None) -> Player:
    """Become the guest of this code, or if one is somebody already take him in; gives who one is.

    Raises `BadClaimCodeError` and what `merge` does.
    """
    wanted = Claim.objects.filter(digest=codes.digest(codes.meant(typed)), used_at=None)
    known = wanted.filter(expires_at__gt=Now()).first()
    if known is None:
        raise BadClaimCodeError("The code is mistyped, used or too old.")
    with transaction.atomic(durable=True):
        club = lock_club(known.club_id)
        if not wanted.filter(expires_at__gt=Now()).update(used_at=Now()):
            raise BadClaimCodeError("The code was used meanwhile.")
        guest = guest_of(club, known.player_id)
        own = Player.objects.filter(pk=player_id, anonymised_at=None).first() if player_id else None
        if own is not None and own.agent_ref:
            raise PeopleOnlyError("A bot was nobody's guest.")
        kept = guest if own is None or own.pk == guest.pk else own
        acts.log(f"player:{kept.pk}", "guest.claimed", f"club:{club.pk}", player=guest.pk)
        if kept.pk != guest.pk:
            _merge(club, guest, kept, f"player:{kept.pk}")
        return kept


def merge(club_id: int, gone_id: int, kept_id: int, by: int) -> Merge:
    """A guest is found to be another member. Raises `NotOrganiserError`, `NotMemberError`,
    `NotAGuestError`, `SeatedTogetherError`, `BothEnteredError`, `MergedSinceError`."""
    with transaction.atomic(durable=True):
        club = lock_club(club_id)
        roles.require_organiser(club, by)
        gone = guest_of(club, gone_id)
        member = of_club(club).filter(player=kept_id).exclude(player=gone).first()
        if member is None:
            raise NotMemberError("The other one is no other member.", player=kept_id)
        return _merge(club, gone, member.player, f"player:{by}")


def unmerge(club_id: int, merge_id: int, by: int) -> Merge:
    """Move back what a merge has moved. Raises `NotOrganiserError`, `MergeNotFoundError`,
    `MergedSinceError`."""
    with transaction.atomic(durable=True):
        club = lock_club(club_id)
        roles.require_organiser(club, by)
        merges = Merge.objects.filter(club=club, pk=merge_id, undone_at=None)
        found = merges.select_related("gone", "kept").first()
        if found is None:
            raise MergeNotFoundError("There is no such merge to undo.")
        if found.gone.anonymised_at is not None:
            raise MergedSinceError("The name is gone for good.")
        entries = Entry.objects.filter(pk__in=found.entries, player=found.kept)
        _move(entries.order_by("competition_id"), found.kept, found.gone, "unmerged")
        for club_pk, role in found.joined:
            Membership.objects.filter(club=club_pk, player=found.kept, role=role).delete()
        for club_pk, role in found.left:
            Membership.objects.get_or_create(
                club_id=club_pk, player=found.gone, defaults={"role": role}
            )
        found.undone_at = clock.now()
        found.save(update_fields=["undone_at"])
        _log(f"player:{by}", "guest.unmerged", found)
        return found


def anonymise(club_id: int, player_id: int, by: int) -> Player:
    """Take a guest's name away for good, and that of every guest merged into him; results stay.

    Raises `NotOrganiserError`, `NotMemberError`, `NotAGuestError`.
    """
    with transaction.atomic(durable=True):
        club = lock_club(club_id)
        roles.require_organiser(club, by)
        guest = guest_of(club, player_id)
        Membership.objects.filter(player=guest).delete()
        Claim.objects.filter(player=guest).delete()
        merged = Merge.objects.filter(kept=guest, undone_at=None).select_related("gone")
        nameless = [guest, *(one.gone for one in merged)]
        for one in nameless:
            make_nameless(one)
        FormerName.objects.filter(player__in=nameless).delete()
        notes.erase_about(guest.pk, f"player:{by}")
        acts.log(f"player:{by}", "player.anonymised", f"club:{club.pk}", player=guest.pk)
        return guest


def guest_of(club: Club, player_id: int) -> Player:
    """A guest who is the club's to speak for. Raises `NotMemberError`, `NotAGuestError`."""
    member = of_club(club).filter(player=player_id).first()
    if member is None:
        raise NotMemberError("The player is no member.", player=player_id)
    guest = member.player
    own = Membership.objects.filter(player=guest)
    elsewhere = own.exclude(club=club, role=Membership.Role.MEMBER)
    # Who made himself a player has a token from the first moment: he is nobody's to give away.
    speaks = guest.user_id is not None or Token.objects.filter(player=guest).exists()
    if guest.kind != Player.Kind.GUEST or speaks or elsewhere.exists():
        raise NotAGuestError("That is no guest of the club: he speaks for himself, or runs it.")
    return guest


def _merge(club: Club, gone: Player, kept: Player, actor: str) -> Merge:
    _check(gone, kept)
    entries = Entry.objects.filter(player=gone).order_by("competition_id")
    moved = list(entries.values_list("pk", flat=True))
    had = list(Membership.objects.filter(player=gone).values_list("club_id", "role"))
    known = set(Membership.objects.filter(player=kept).values_list("club_id", flat=True))
    joined = [(pk, role) for pk, role in had if pk not in known]
    _move(entries, gone, kept, "merged")
    Membership.objects.bulk_create(
        Membership(club_id=pk, player=kept, role=role) for pk, role in joined
    )
    Membership.objects.filter(player=gone).delete()
    made = Merge.objects.create(
        club=club, gone=gone, kept=kept, entries=moved, joined=joined, left=had
    )
    _log(actor, "guest.merged", made)
    return made


def _check(gone: Player, kept: Player) -> None:
    deals = together.deals(gone.pk, kept.pk)
    if deals:
        raise SeatedTogetherError("They were seated in one deal: two people.", deals=deals)
    both = together.competitions(gone.pk, kept.pk)
    if both:
        raise BothEnteredError("Both have an entry in one competition.", competitions=both)
    played = Seat.objects.filter(player=gone, game__competition_ref__isnull=False).exists()
    records = GameRecord.objects.filter(players__contains=[gone.pk])
    if played or records.filter(competition_ref__isnull=False).exists():
        raise MergedSinceError("The guest has played games of a competition on the site.")
    if Stint.objects.filter(player=gone).exists():
        raise MergedSinceError("The guest has played for somebody, or somebody for him.")
    stints = Stint.objects.filter(player=gone).exists()
    if stints or Entry.objects.filter(substitute=gone).exists():
        raise MergedSinceError("The guest has played for somebody else, or had a substitute.")
    named = Competition.objects.filter(entries__player=gone)
    if any(gone.pk in pair for one in named for pair in one.chosen.forbidden_pairs):
        raise MergedSinceError("A competition says with whom the guest must not sit.")


def _move(entries: QuerySet[Entry], one: Player, other: Player, reason: str) -> None:
    """Entries become another player's, competition by competition, each under its lock."""
    for entry in list(entries):
        competition = lock_competition(entry.competition_id)
        rows = Entry.objects.filter(competition=competition, player=other)
        if rows.exists():
            raise MergedSinceError("The player has entered there meanwhile.")
        Entry.objects.filter(pk=entry.pk).update(player=other)
        PenaltyTally.objects.filter(entry=entry).update(player=other)
        results = DealResult.objects.filter(table__round__competition=competition)
        results.filter(entered_by=one).update(entered_by=other)
        results.filter(contested_by=one).update(contested_by=other)
        body = {
            "entry": entry.number,
            "player": other.pk,
            "leaver": one.pk,
            "was": one.pk,
            "reason": reason,
        }
        ledger.append(competition, [ledger.Fact(LedgerRow.Kind.ENTRY_SUBSTITUTED, body)])


def _log(actor: str, verb: str, found: Merge) -> None:
    acts.log(
        actor,
        verb,
        f"club:{found.club_id}",
        merge=found.pk,
        gone=found.gone_id,
        kept=found.kept_id,
        entries=len(found.entries),
    )
