"""What a phone does at a table: speaks for a seat, tells a result, takes it back.

A device speaks for one seat of a table, and can't change it once it has entered something: who
confirms a result must hold another phone. Beyond that it is `typed` that decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from config.kit import acts
from league.errors import NotAtTableError, NotReportedError, OtherDeviceError
from league.formats.saying import only_last
from league.models import Competition, DealResult, LedgerRow, Round, Table, TableDevice
from league.queries.locks import lock_competition
from league.queries.sitting import Sitting
from league.services import ledger, tallies, typed
from league.services.typed import Entered
from league.services.typed_tables import By, Where

State = DealResult.State


@dataclass(frozen=True)
class Speaker:
    """Who enters at a table: a seat by a device, or somebody who keeps scores."""

    by: By
    device: bytes | None = None


def seat_of(sitting: Sitting, device: bytes) -> int | None:
    """The entry's number that a device speaks for: here, or as at the last table of its player."""
    here = TableDevice.objects.filter(table=sitting.table, device=device).select_related("entry")
    mine = here.first()
    if mine is not None:
        return mine.entry.number
    before = TableDevice.objects.filter(device=device).order_by("-pk").select_related("entry")
    last = before.first()
    sits = [entry.number for entry in sitting.entries if last and entry.pk == last.entry_id]
    return sits[0] if sits else None


def sit(sitting: Sitting, device: bytes, number: int) -> None:
    """Speak for a seat from now on. Raises `NotAtTableError`, `OtherDeviceError`."""
    entry = next((one for one in sitting.entries if one.number == number), None)
    if entry is None:
        raise NotAtTableError("Nobody of that number sits here.")
    with transaction.atomic(durable=True):
        lock_competition(sitting.competition.pk)
        row, _ = TableDevice.objects.get_or_create(
            table=sitting.table, device=device, defaults={"entry": entry}
        )
        if row.entry_id != entry.pk:
            if row.has_entered:
                raise OtherDeviceError("This phone has entered for another seat already.")
            row.entry = entry
            row.save(update_fields=["entry"])


def speaker(sitting: Sitting, device: bytes) -> Speaker:
    """By whom a device enters. Raises `NotAtTableError` before it has a seat."""
    number = seat_of(sitting, device)
    entry = next((one for one in sitting.entries if one.number == number), None)
    if number is None or entry is None:
        raise NotAtTableError("Say who you are first.")
    return Speaker(By(entry.player_id, organiser=False), device)


def tell(
    sitting: Sitting,
    deal: int,
    places: Sequence[Sequence[int]],
    speaker: Speaker,
    seen: int | None = None,
) -> Entered:
    """Enter a deal for a seat. Raises what `typed.enter` does, and `OtherDeviceError`."""
    if speaker.device is not None:
        _bind(sitting, speaker)
    entered = typed.enter(_where(sitting, deal), places, speaker.by, seen)
    return entered


def tell_last(
    sitting: Sitting, deal: int, last: int, speaker: Speaker, seen: int | None = None
) -> Entered:
    """Enter who was last; the others share the first place."""
    if last not in sitting.numbers:
        raise NotAtTableError("Nobody of that number sits here.")
    return tell(sitting, deal, only_last([last], sitting.numbers), speaker, seen)


def take_back(sitting: Sitting, deal: int, by: By) -> DealResult:
    """Make a result as if nobody had told it: one's own report, or while the round is open
    whatever somebody who keeps scores says. Raises `NotReportedError`."""
    where = _where(sitting, deal)
    with transaction.atomic(durable=True):
        competition = lock_competition(where.competition_id)
        row = DealResult.objects.select_related("table__round").filter(
            table=sitting.table, deal=deal
        )
        result = row.first()
        if result is None or not _may(competition, result, by):
            raise NotReportedError("This result can't be taken back.")
        told = result.places
        # Without places nothing stands there any more: whoever comes next tells it anew.
        result.state, result.places = State.VOID, []
        result.confirms_at, result.contested = None, None
        result.save(update_fields=["state", "places", "confirms_at", "contested"])
        body = {
            "round": where.round,
            "table": where.table,
            "deal": deal,
            "version": result.version,
            "places": told,
            "source": typed.SOURCE,
        }
        ledger.append(
            competition, [ledger.Fact(LedgerRow.Kind.RESULT_VOIDED, body, sitting.table.pk)]
        )
        tallies.recompute_inside(competition, write=True)
        _reopen(result.table)
        target = f"competition:{competition.pk}/{where.round}/{where.table}/{deal}"
        acts.log(by.actor, "result.taken_back", target, version=result.version)
        return result


def _may(competition: Competition, result: DealResult, by: By) -> bool:
    playing = result.table.round.state == Round.State.PLAYING
    if competition.state != Competition.State.RUNNING or not playing:
        return False
    if by.organiser:
        return result.state != State.VOID
    return result.state == State.REPORTED and result.entered_by_id == by.player_id


def _reopen(table: Table) -> None:
    """A table with a deal less is played on."""
    results = DealResult.objects.filter(table=table, state=State.CONFIRMED)
    table.deals_done = results.exclude(places=[]).count()
    if table.state == Table.State.DONE:
        table.state, table.done_at, table.places = Table.State.PLAYING, None, None
    table.save(update_fields=["deals_done", "state", "done_at", "places"])


def _bind(sitting: Sitting, speaker: Speaker) -> None:
    """From now on this device speaks for this seat."""
    entry = next(one for one in sitting.entries if one.player_id == speaker.by.player_id)
    with transaction.atomic(durable=True):
        lock_competition(sitting.competition.pk)
        row, _ = TableDevice.objects.get_or_create(
            table=sitting.table, device=speaker.device, defaults={"entry": entry}
        )
        if row.entry_id != entry.pk:
            raise OtherDeviceError("This phone speaks for another seat.")
        TableDevice.objects.filter(pk=row.pk).update(has_entered=True)


def _where(sitting: Sitting, deal: int) -> Where:
    return Where(sitting.competition.pk, sitting.table.round.number, sitting.table.number, deal)
