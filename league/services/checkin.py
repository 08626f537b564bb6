"""Check-in: an entry says that it is there; who has not by the draw is withdrawn or stood in for.

Works under the competition's lock. Whoever may check an entry in, the edge knows; bots are checked
in by the layer above when they answer its waking call.
"""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from django.db import transaction

from config.kit import acts, clock, receipts
from league.errors import CheckinClosedError, NotEnteredError
from league.formats.checkin import Presence, is_absent, opens_at
from league.formats.settings import NoShow
from league.models import Competition, Entry, LedgerRow, TableSeat
from league.queries import stints
from league.queries.locks import lock_competition
from league.queries.tables import unfinished
from league.services import entrants, ledger

State = Competition.State
_TAKES = (State.OPEN, State.RUNNING, State.PAUSED)
STANDING = (Entry.State.ENTERED, Entry.State.WAITING)


class By(StrEnum):
    """Who says so: the player, somebody of the club, or a bot by its answer to a call."""

    SELF = "self"
    CLUB = "club"
    CALL = "call"


def check_in(
    competition_id: int,
    player_id: int,
    by: By,
    actor: str = "",
    receipt: receipts.Draft | None = None,
) -> Entry:
    """Check a player's entry in; again changes nothing. Who appears when it runs plays by himself
    from the next deal on. `actor` as the act log names him; "" writes no line.

    Raises `NotEnteredError`, `CheckinClosedError`.
    """
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        entries = Entry.objects.filter(stints.of(player_id), competition=competition)
        rows = entries.filter(state__in=STANDING).select_related("player", "substitute")
        entry = rows.first()
        if entry is None:
            raise NotEnteredError("The player has no entry.")
        if receipts.repeated(receipt) is not None:
            return entry
        _require_open(competition)
        if entry.checked_in_at is None:
            _check_in(competition, entry, by)
            if actor:
                acts.log(
                    actor, "entry.checkin", f"competition:{competition.pk}", entry=entry.number
                )
        _appear(competition, entry)
        receipts.keep(receipt, {})
        return entry


def withdraw_absent(competition: Competition) -> None:
    """Before the draw: take back the entries that are absent, where that was chosen. The caller
    holds the lock."""
    if competition.chosen.no_show != NoShow.WITHDRAW:
        return
    entered = Entry.objects.filter(competition=competition, state=Entry.State.ENTERED)
    gone = absent(competition, list(entered.select_related("player").order_by("number")))
    facts = []
    for entry in gone:
        entry.state = Entry.State.WITHDRAWN
        fact = {"entry": entry.number, "player": entry.player_id, "reason": "no_show"}
        facts.append(ledger.Fact(LedgerRow.Kind.ENTRY_DROPPED, fact))
    Entry.objects.bulk_update(gone, ["state"])
    ledger.append(competition, facts)


def absent(competition: Competition, entries: Sequence[Entry]) -> list[Entry]:
    """Which of the entries could have checked in before the start and have not; house bots are
    always there. `player` should be selected along."""
    drawn_at = competition.started_at or clock.now()
    return [entry for entry in entries if _is_absent(competition, entry, drawn_at)]


def _is_absent(competition: Competition, entry: Entry, drawn_at: datetime) -> bool:
    if entry.plays.agent_ref.startswith("house:"):
        return False
    presence = Presence(entry.since, entry.checked_in_at)
    minutes = competition.chosen.checkin_minutes
    return is_absent(presence, competition.starts_at, minutes, drawn_at)


def _require_open(competition: Competition) -> None:
    minutes = competition.chosen.checkin_minutes
    if competition.state not in _TAKES or not minutes:
        raise CheckinClosedError("There is no check-in here now.", state=competition.state)
    opens = opens_at(competition.starts_at, minutes)
    if competition.state == State.OPEN and opens is not None and clock.now() < opens:
        raise CheckinClosedError("Check-in is not open yet.", opens_at=opens.isoformat())


def _check_in(competition: Competition, entry: Entry, by: By) -> None:
    entry.checked_in_at = clock.now()
    entry.save(update_fields=["checked_in_at"])
    fact = {"entry": entry.number, "player": entry.player_id, "by": by.value}
    ledger.append(competition, [ledger.Fact(LedgerRow.Kind.CHECKIN, fact)])


def _appear(competition: Competition, entry: Entry) -> None:
    """Where a stand-in sits for it, that ends with the deal that is being played."""
    if not entrants.absent([entry.plays]):
        tables = unfinished().filter(round__competition=competition)
        TableSeat.objects.filter(table__in=tables, entry=entry).update(stand_in=False)
