"""What an organiser does while a competition runs: pause, resume, call off, drop an entry.

Everything under the competition's lock, safe to repeat, and written into the act log.
"""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from config.kit import acts, receipts
from games.services.endings import call_off_games
from league.errors import NotEnteredError, NotRunningError
from league.models import Competition, Entry, LedgerRow, Round, Table, TableSeat
from league.queries import stints
from league.queries.locks import lock_competition
from league.queries.tables import unfinished, views
from league.services import ledger, results, rounds, typed_tables
from league.services.due import Due

State = Competition.State


def pause(competition_id: int, actor: str, receipt: receipts.Draft | None = None) -> None:
    """Nothing new begins: no round, no deal; what is being played ends and counts."""
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        if receipts.repeated(receipt) is not None or competition.state == State.PAUSED:
            return
        _require(competition, State.RUNNING)
        # People who are not ready are not played for meanwhile.
        _tables(competition, Table.Kind.HOUSE, Table.Kind.EVENTED).update(due_at=None)
        _turn(competition, State.PAUSED, actor)
        receipts.keep(receipt, {})


def resume(competition_id: int, actor: str, receipt: receipts.Draft | None = None) -> Due:
    """Go on where it stood when it was paused."""
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        if receipts.repeated(receipt) is not None or competition.state == State.RUNNING:
            return Due()
        _require(competition, State.PAUSED)
        _turn(competition, State.RUNNING, actor)
        receipts.keep(receipt, {})
        due = Due(house=bool(_tables(competition, Table.Kind.HOUSE).update(due_at=Now())))
        for view in views(_tables(competition, Table.Kind.DRIVEN, Table.Kind.EVENTED)):
            due += results.go_on(competition, view)
        return due + rounds.go_on_inside(competition)


def void(competition_id: int, actor: str, receipt: receipts.Draft | None = None) -> None:
    """Call a competition off: its tables end without a result, nothing of it is rated."""
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        if receipts.repeated(receipt) is not None or competition.state == State.VOID:
            return
        _require(competition, State.DRAFT, State.OPEN, State.RUNNING, State.PAUSED)
        unfinished().filter(round__competition=competition).update(
            state=Table.State.VOID, due_at=None
        )
        playing = Round.objects.filter(competition=competition, state=Round.State.PLAYING)
        playing.update(state=Round.State.VOID)
        call_off_games(competition.pk)
        _turn(competition, State.VOID, actor)
        receipts.keep(receipt, {})


def drop(
    competition_id: int,
    player_id: int,
    actor: str,
    receipt: receipts.Draft | None = None,
) -> tuple[Entry, Due]:
    """Take an entry out of a competition that runs. Where it sits a stand-in plays from the next
    deal on; it goes on from nowhere. Raises `NotRunningError`, `NotEnteredError`."""
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        entry = Entry.objects.filter(stints.of(player_id), competition=competition).first()
        if entry is None:
            raise NotEnteredError("The player has no entry.")
        if receipts.repeated(receipt) is not None or entry.state == Entry.State.DROPPED:
            return entry, Due()
        _require(competition, State.RUNNING, State.PAUSED)
        if entry.state != Entry.State.ENTERED:
            raise NotEnteredError("The player is not in it any more.")
        due = _drop(competition, entry)
        acts.log(actor, "entry.dropped", f"competition:{competition.pk}", entry=entry.number)
        receipts.keep(receipt, {})
        return entry, due


def _drop(competition: Competition, entry: Entry) -> Due:
    entry.state = Entry.State.DROPPED
    playing = Round.objects.filter(competition=competition, state=Round.State.PLAYING).exists()
    left = Entry.objects.filter(competition=competition, state=Entry.State.ENTERED)
    if not playing:
        # Between two rounds: behind all who are still in.
        entry.place = left.exclude(pk=entry.pk).count() + 1
    entry.save(update_fields=["state", "place"])
    fact: dict[str, Any] = {"entry": entry.number, "player": entry.player_id}
    if not playing:
        fact["place"] = entry.place
    ledger.append(competition, [ledger.Fact(LedgerRow.Kind.ENTRY_DROPPED, fact)])
    tables = unfinished().filter(round__competition=competition)
    TableSeat.objects.filter(table__in=tables, entry=entry).update(stand_in=True)
    if not playing and left.count() < 2:
        return rounds.open_if_none_inside(competition)
    return typed_tables.close_short(competition, entry)


def _require(competition: Competition, *states: State) -> None:
    if competition.state not in states:
        raise NotRunningError(f"It is {competition.state}.", state=competition.state)


def _turn(competition: Competition, state: State, actor: str) -> None:
    competition.state = state
    competition.save(update_fields=["state"])
    fact = ledger.Fact(LedgerRow.Kind.COMPETITION_STATE, {"state": str(state)})
    ledger.append(competition, [fact])
    acts.log(actor, f"competition.{state}", f"competition:{competition.pk}")


def _tables(competition: Competition, *kinds: Table.Kind) -> QuerySet[Table]:
    return unfinished().filter(round__competition=competition, kind__in=kinds)
