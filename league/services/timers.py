"""The clock of a night: started, stopped, gone on, put away. The database says what time it is."""

from datetime import timedelta

from django.db import transaction

from config.kit import acts, clock, receipts
from league.errors import BadNightError
from league.models import Night
from league.queries import nights
from league.queries.locks import lock_competition
from league.services.night_plans import require

LONGEST_MINUTES = 600


def start(
    competition_id: int,
    number: int,
    minutes: int | None,
    actor: str,
    receipt: receipts.Draft | None = None,
) -> Night:
    """Let it run for so many minutes, or go on with what is left (None). Raises `BadNightError`,
    `NightClosedError`."""
    with transaction.atomic(durable=True):
        night = _locked(competition_id, number)
        if receipts.repeated(receipt) is not None:
            return night
        seconds = night.timer_left_s if minutes is None else minutes * 60
        if seconds is None or not 0 < seconds <= LONGEST_MINUTES * 60:
            raise BadNightError(f"From 1 to {LONGEST_MINUTES} minutes.", field="minutes")
        night.timer_ends_at = clock.now() + timedelta(seconds=seconds)
        return _kept(night, None, actor, receipt)


def stop(
    competition_id: int, number: int, actor: str, receipt: receipts.Draft | None = None
) -> Night:
    """Stop it where it is; stopped already it is put away."""
    with transaction.atomic(durable=True):
        night = _locked(competition_id, number)
        if receipts.repeated(receipt) is not None:
            return night
        left = None
        if night.timer_ends_at is not None:
            left = max(0, round((night.timer_ends_at - clock.now()).total_seconds())) or None
        night.timer_ends_at = None
        return _kept(night, left, actor, receipt)


def _locked(competition_id: int, number: int) -> Night:
    night = nights.one(lock_competition(competition_id), number)
    require(night, Night.State.OPEN)
    return night


def _kept(night: Night, left: int | None, actor: str, receipt: receipts.Draft | None) -> Night:
    night.timer_left_s = left
    night.save(update_fields=["timer_ends_at", "timer_left_s"])
    verb = "timer.started" if night.timer_ends_at else "timer.stopped"
    acts.log(actor, verb, f"competition:{night.competition_id}/night/{night.number}")
    receipts.keep(receipt, {})
    return night
