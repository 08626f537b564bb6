"""Who is on a night: what is said beforehand, who checks in, who comes late, who leaves; guests.

Works under the competition's lock. Who checks in is told by the ledger; what was only announced is
not. Whoever may say it of whom, the edge knows.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from config.kit import acts, clock, names, receipts
from games.models import Player
from league.errors import NightClosedError, NotEnteredError, NotMemberError
from league.models import Attendance, Competition, Entry, LedgerRow, Membership, Night, TableSeat
from league.models import Round as Rounds
from league.queries import nights, stints
from league.queries.locks import lock_club, lock_competition
from league.services import entries, ledger, members
from league.services.night_plans import require

State = Attendance.State
_SAID = (State.COMING, State.LATE, State.ABSENT)


@dataclass(frozen=True)
class Says:
    """What is said of somebody on a night, and by whom: `self` or `club`. `until`: how long the
    seat of who comes late is kept."""

    player_id: int
    state: State
    by: str
    until: datetime | None = None


def say(
    competition_id: int, number: int, says: Says, actor: str, receipt: receipts.Draft | None = None
) -> Attendance:
    """Announce, check in or leave; the same again changes nothing.

    Raises `NightNotFoundError`, `NightClosedError`, `NotEnteredError`.
    """
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        night = nights.one(competition, number)
        entry = _entry(competition, says.player_id)
        known = Attendance.objects.filter(night=night, entry=entry).first()
        if known is not None and receipts.repeated(receipt) is not None:
            return known
        _require(night, says.state)
        row = _say_inside(competition, night, entry, says)
        target = f"competition:{competition.pk}/night/{number}"
        acts.log(actor, f"attendance.{says.state}", target, entry=entry.number)
        receipts.keep(receipt, {})
        return row


def all_here(
    competition_id: int, number: int, actor: str, receipt: receipts.Draft | None = None
) -> int:
    """Check in all who have said that they come; says how many that were."""
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        night = nights.one(competition, number)
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return int(outcome["here"])
        _require(night, State.HERE)
        coming = Attendance.objects.filter(night=night, state=State.COMING)
        rows = list(coming.filter(entry__state=Entry.State.ENTERED).select_related("entry"))
        now = clock.now()
        for row in rows:
            row.state, row.here_at = State.HERE, now
        Attendance.objects.bulk_update(rows, ["state", "here_at"])
        facts = [_checkin(row.entry, night, "club") for row in rows]
        ledger.append(competition, facts)
        acts.log(actor, "attendance.all", f"competition:{competition.pk}/night/{number}")
        receipts.keep(receipt, {"here": len(rows)})
        return len(rows)


def add_guest(
    competition_id: int,
    number: int,
    name: str,
    by: int,
    receipt: receipts.Draft | None = None,
) -> Attendance:
    """Somebody comes by for this night: a guest of the club by nickname, entered and there.

    Raises `BadNameError`, `NightClosedError`, `EntriesClosedError`.
    """
    kept = names.checked(name)
    club_id = Competition.objects.values_list("club", flat=True).get(pk=competition_id)
    with transaction.atomic(durable=True):
        club = lock_club(club_id)
        competition = lock_competition(competition_id)
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return Attendance.objects.get(pk=outcome["attendance"])
        night = nights.one(competition, number)
        (member,) = members.add_guests_inside(club, [kept], by)
        return _join(competition, night, member.player, by, receipt, guest=True)


def add_member(
    competition_id: int,
    number: int,
    player_id: int,
    by: int,
    receipt: receipts.Draft | None = None,
) -> Attendance:
    """A member of the club who has not entered yet does, and is there. Raises `NotMemberError`,
    `NightClosedError`, and what refuses an entry."""
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return Attendance.objects.get(pk=outcome["attendance"])
        night = nights.one(competition, number)
        held = Membership.objects.filter(club=competition.club_id, player=player_id)
        member = held.filter(player__club_link=None).select_related("player").first()
        if member is None:
            raise NotMemberError("The player is no member.", player=player_id)
        return _join(competition, night, member.player, by, receipt, guest=False)


def _join(
    competition: Competition,
    night: Night,
    player: Player,
    by: int,
    receipt: receipts.Draft | None,
    *,
    guest: bool,
) -> Attendance:
    require(night, Night.State.PLANNED, Night.State.OPEN)
    entry = entries.enter_inside(competition, player)
    says = Says(player.pk, State.HERE if night.state == Night.State.OPEN else State.COMING, "club")
    row = _say_inside(competition, night, entry, says, guest=guest)
    target = f"competition:{competition.pk}/night/{night.number}"
    acts.log(f"player:{by}", "attendance.joined", target, entry=entry.number)
    receipts.keep(receipt, {"attendance": row.pk})
    return row


def _say_inside(
    competition: Competition, night: Night, entry: Entry, says: Says, *, guest: bool = False
) -> Attendance:
    row = Attendance.objects.filter(night=night, entry=entry).first()
    row = row or Attendance(night=night, entry=entry, guest=guest)
    came = says.state == State.HERE and row.state != State.HERE
    row.state = says.state
    row.until = says.until if says.state == State.LATE else None
    if came:
        row.here_at = clock.now()
        ledger.append(competition, [_checkin(entry, night, says.by)])
    row.save()
    _seat(competition, entry, says.state)
    return row


def _seat(competition: Competition, entry: Entry, state: State) -> None:
    """Who has a seat in the round that is played takes it, or leaves it to be kept."""
    seats = TableSeat.objects.filter(
        round__competition=competition, round__state=Rounds.State.PLAYING, entry=entry
    )
    seats.update(away=state != State.HERE)


def _checkin(entry: Entry, night: Night, by: str) -> ledger.Fact:
    body = {"entry": entry.number, "player": entry.plays.pk, "by": by, "night": night.number}
    return ledger.Fact(LedgerRow.Kind.CHECKIN, body)


def _entry(competition: Competition, player_id: int) -> Entry:
    found = Entry.objects.filter(stints.of(player_id), competition=competition)
    rows = found.filter(state=Entry.State.ENTERED).select_related("player", "substitute")
    entry = rows.first()
    if entry is None:
        raise NotEnteredError("The player has no entry.")
    return entry


def _require(night: Night, state: State) -> None:
    if state in _SAID:
        require(night, Night.State.PLANNED, Night.State.OPEN)
    elif night.state != Night.State.OPEN:
        raise NightClosedError("The night is not open.", state=night.state)
