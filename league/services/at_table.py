"""What a phone does at a table: speaks for a seat, tells a result, takes it back.

A device speaks for one seat of a table, and can't change it once it has entered something: who
confirms a result must hold another phone. Beyond that it is `typed` that decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from config.kit import acts, receipts
from league.errors import NotAtTableError, NotReportedError, OtherDeviceError
from league.models import Competition, DealResult, LedgerRow, Round, Table, TableDevice
from league.queries.locks import lock_competition
from league.queries.sitting import Sitting
from league.services import confirming, ledger, tallies, typed, typed_rows
from league.services.due import Due
from league.services.typed import Entered
from league.services.typed_tables import By, Where

State = DealResult.State


@dataclass(frozen=True)
class Told:
    """What is said of a deal: places from first to last (none: it was abandoned), who of the last
    gave up, and the version that was seen."""

    places: Sequence[Sequence[int]]
    seen: int | None = None
    forfeits: tuple[int, ...] = ()


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
    if number not in sitting.players:
        raise NotAtTableError("Say who you are first.")
    return Speaker(By(sitting.players[number].pk, organiser=False), device)


def tell(
    sitting: Sitting,
    deal: int,
    told: Told,
    speaker: Speaker,
    receipt: receipts.Draft | None = None,
) -> Entered:
    """Enter a deal for a seat. Raises what `typed.enter` does, and `OtherDeviceError`."""
    if speaker.device is not None:
        _bind(sitting, speaker)
    where = _where(sitting, deal)
    return typed.enter(where, told.places, speaker.by, told.seen, receipt, forfeits=told.forfeits)


def confirm_sheet(
    sitting: Sitting, speaker: Speaker, receipt: receipts.Draft | None = None
) -> tuple[int, Due]:
    """Confirm all that other seats have reported here. Raises what `tell` does."""
    if speaker.device is not None:
        _bind(sitting, speaker)
    return confirming.confirm_sheet(_where(sitting, 1), speaker.by, receipt)


def take_back(
    sitting: Sitting, deal: int, by: By, receipt: receipts.Draft | None = None
) -> DealResult:
    """Make a result as if nobody had told it: one's own report, or while the round is open
    whatever somebody who keeps scores says. Raises `NotReportedError`."""
    where = _where(sitting, deal)
    with transaction.atomic(durable=True):
        competition = lock_competition(where.competition_id)
        rows = DealResult.objects.select_related("table__round")
        result = rows.filter(table=sitting.table, deal=deal).first()
        if result is not None and receipts.repeated(receipt) is not None:
            return result
        if result is None or not _may(competition, result, by):
            raise NotReportedError("This result can't be taken back.")
        told = result.places
        # Without places nothing stands there any more: whoever comes next tells it anew.
        result.state, result.places, result.forfeits = State.VOID, [], []
        result.confirms_at, result.contested, result.contested_by = None, None, None
        result.save()
        body = {
            "round": where.round,
            "table": where.table,
            "deal": deal,
            "version": result.version,
            "places": told,
            "source": typed_rows.SOURCE,
        }
        ledger.append(
            competition, [ledger.Fact(LedgerRow.Kind.RESULT_VOIDED, body, sitting.table.pk)]
        )
        tallies.recompute_inside(competition, write=True)
        _reopen(result.table)
        target = f"competition:{competition.pk}/{where.round}/{where.table}/{deal}"
        acts.log(by.actor, "result.taken_back", target, version=result.version)
        receipts.keep(receipt, {})
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
    seats = {sitting.players[entry.number].pk: entry for entry in sitting.entries}
    entry = seats[speaker.by.player_id]
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
