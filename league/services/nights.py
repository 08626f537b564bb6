"""A night from its opening to its end: seat a round, seat it anew, end a round, close the night.

Everything happens under the competition's lock. What is still open when a round or a night is ended
is told, and only by force left as it is: deals that were reported count then, those in dispute
count when they are ruled.
"""

from math import ceil
from typing import Any, NamedTuple

from django.db import transaction

from config.kit import acts, clock, receipts
from league.errors import NightBusyError, NotRunningError, RoundBegunError
from league.formats.settings import Absence, Settings
from league.models import Attendance, Competition, Entry, LedgerRow, Night, PenaltyTally, Round
from league.queries import nights
from league.queries.locks import lock_competition
from league.queries.standings import folded
from league.services import competitions, consequences, ledger, night_tables, rounds, tallies
from league.services.due import Due
from league.services.night_plans import require

State = Night.State
_OVER = (Competition.State.FINISHED, Competition.State.VOID)


class Where(NamedTuple):
    """A night of a competition."""

    competition_id: int
    number: int


def begin(where: Where, actor: str, receipt: receipts.Draft | None = None) -> Due:
    """Open a night, and with the first one the league: check-in begins.

    Raises `NightNotFoundError`, `NightClosedError`, `NightBusyError` while another one is open,
    `TooFewEntriesError`.
    """
    with transaction.atomic(durable=True):
        competition, night = _locked(where)
        if receipts.repeated(receipt) is not None or night.state == State.OPEN:
            return Due()
        require(night, State.PLANNED)
        other = nights.of(competition).filter(state=State.OPEN).first()
        if other is not None:
            raise NightBusyError("Another night is open.", open=[f"night {other.number}"])
        due = competitions.start_inside(competition)
        _require_running(competition)
        night.state, night.opened_at = State.OPEN, clock.now()
        night.save(update_fields=["state", "opened_at"])
        _done(competition, night, "night.opened", actor, receipt)
        return due


def seat(where: Where, actor: str, receipt: receipts.Draft | None = None) -> Due:
    """Draw the next round of who is there. Raises `TooFewHereError`, `NightBusyError` while a
    round is played."""
    with transaction.atomic(durable=True):
        competition, night = _locked(where)
        if receipts.repeated(receipt) is not None:
            return Due()
        require(night, State.OPEN)
        _require_running(competition)
        if _playing(competition) is not None:
            raise NightBusyError("A round is being played.", open=["round"])
        due = rounds.open_inside(competition)
        _done(competition, night, "round.opened", actor, receipt)
        return due


def seat_anew(where: Where, actor: str, receipt: receipts.Draft | None = None) -> Due:
    """Draw the round that is open again, by a new lot and of who is there now. Raises
    `RoundBegunError` once anything of it was played."""
    with transaction.atomic(durable=True):
        competition, night = _locked(where)
        if receipts.repeated(receipt) is not None:
            return Due()
        require(night, State.OPEN)
        drawn = _playing(competition)
        if drawn is None or "tied" in drawn.draw:
            raise RoundBegunError("There is no seating that could be drawn anew.")
        night_tables.call_off_waiting(drawn)
        consequences.take_back(competition, [drawn])
        due = rounds.open_inside(competition)
        _done(competition, night, "round.redrawn", actor, receipt)
        return due


def end_round(
    where: Where, actor: str, *, force: bool = False, receipt: receipts.Draft | None = None
) -> Due:
    """End the round that is played with the deals there are. Raises `NightBusyError`, which names
    what is open, unless it is forced."""
    with transaction.atomic(durable=True):
        competition, night = _locked(where)
        if receipts.repeated(receipt) is not None:
            return Due()
        require(night, State.OPEN)
        due = _end_round(competition, force=force)
        _done(competition, night, "round.ended", actor, receipt)
        return due


def close(
    where: Where, actor: str, *, force: bool = False, receipt: receipts.Draft | None = None
) -> Due:
    """Close a night: its round ends, who was away takes what that costs, after the last night the
    league is over. Raises `NightBusyError` as `end_round`."""
    with transaction.atomic(durable=True):
        competition, night = _locked(where)
        if receipts.repeated(receipt) is not None or night.state == State.CLOSED:
            return Due()
        require(night, State.OPEN)
        due = _end_round(competition, force=force)
        _absences(competition, night)
        night.state, night.closed_at = State.CLOSED, clock.now()
        night.timer_ends_at = night.timer_left_s = None
        night.save()
        if rounds.after_the_last_night(competition) and _playing(competition) is None:
            due += rounds.end_inside(competition)
        _done(competition, night, "night.closed", actor, receipt)
        return due


def end_season(
    competition_id: int, actor: str, *, force: bool = False, receipt: receipts.Draft | None = None
) -> Due:
    """End a league now: what is played ends as at the end of a night, then the standings place
    everybody; who shares the win plays for it, where that was agreed."""
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        if receipts.repeated(receipt) is not None or competition.state in _OVER:
            return Due()
        _require_running(competition)
        due = _end_round(competition, force=force)
        if competition.state not in _OVER and _playing(competition) is None:
            due += rounds.end_inside(competition)
        acts.log(actor, "season.ended", f"competition:{competition.pk}")
        receipts.keep(receipt, {})
        return due


def _end_round(competition: Competition, *, force: bool) -> Due:
    drawn = _playing(competition)
    if drawn is None:
        return Due()
    left = night_tables.left_open(drawn)
    if left and not force:
        raise NightBusyError("Something is still open.", open=left)
    due = night_tables.end(competition, drawn)
    # Nothing follows by itself: whoever ends a round says what comes next.
    return due + rounds.close_inside(competition)


def _absences(competition: Competition, night: Night) -> None:
    """Chips for who was away, as the league's rules say: a row each."""
    settings = competition.chosen
    each = _costs(competition, night, settings)
    if not each:
        return
    here = Attendance.objects.filter(night=night, here_at__isnull=False)
    away = PenaltyTally.objects.filter(competition=competition, entry__state=Entry.State.ENTERED)
    away = away.filter(entry__since__lte=night.starts_at)
    away = away.exclude(entry__in=here.values("entry")).select_related("entry")
    before = _nights_away(competition, night)
    facts = []
    for tally in away.order_by("entry__number"):
        most = settings.limit - 1 - tally.chips if settings.limit else each
        chips = min(each, most)
        if before.get(tally.entry_id, 0) >= settings.nights_free and chips > 0:
            facts.append(_chip(competition, night, tally.entry.number, chips))
    ledger.append(competition, facts)
    if facts:
        tallies.recompute_inside(competition, write=True)


def _costs(competition: Competition, night: Night, settings: Settings) -> int:
    """What a night away costs."""
    if settings.absence == Absence.CHIPS:
        return settings.absence_chips
    if settings.absence == Absence.NOTHING:
        return 0
    fold = folded(competition)
    played = {row.number for row in nights.rounds_of(night)}
    taken, people = 0, set[int]()
    for number in played:
        for entry, sums in fold.round_sums(number).items():
            taken += sums.chips
            people.add(entry)
    return ceil(taken / len(people)) if people else 0


def _nights_away(competition: Competition, night: Night) -> dict[int, int]:
    """By entry: how many nights before this one it was away, since it has entered."""
    closed = list(nights.of(competition).filter(state=State.CLOSED).exclude(pk=night.pk))
    came = set(
        Attendance.objects.filter(night__in=closed, here_at__isnull=False).values_list(
            "night_id", "entry_id"
        )
    )
    entered = Entry.objects.filter(competition=competition).values_list("pk", "since")
    return {
        pk: sum(one.starts_at >= since and (one.pk, pk) not in came for one in closed)
        for pk, since in entered
    }


def _chip(competition: Competition, night: Night, entry: int, chips: int) -> ledger.Fact:
    number = Round.objects.filter(competition=competition).count() + 1
    body = {
        "entry": entry,
        "chips": chips,
        "round": number,
        "reason": "absent",
        "night": night.number,
    }
    return ledger.Fact(LedgerRow.Kind.CHIP, body)


def _locked(where: Where) -> tuple[Competition, Night]:
    competition = lock_competition(where.competition_id)
    return competition, nights.one(competition, where.number)


def _require_running(competition: Competition) -> None:
    if competition.state != Competition.State.RUNNING:
        raise NotRunningError(f"It is {competition.state}.", state=competition.state)


def _playing(competition: Competition) -> Round | None:
    playing = Round.objects.filter(competition=competition, state=Round.State.PLAYING)
    return playing.select_related("stage").first()


def _done(
    competition: Competition,
    night: Night,
    verb: str,
    actor: str,
    receipt: receipts.Draft | None,
) -> None:
    acts.log(actor, verb, f"competition:{competition.pk}/night/{night.number}")
    outcome: dict[str, Any] = {}
    receipts.keep(receipt, outcome)
