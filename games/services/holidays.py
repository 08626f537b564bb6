"""Holidays: days on which a player's correspondence clocks stand still, so many in a year.

They begin today at the earliest, so that no time that has run out comes back.
"""

from __future__ import annotations

from datetime import UTC, date, timedelta
from typing import Final

from django.db import transaction

from config.kit import clock, receipts
from games.errors import BadHolidayError, HolidayNotFoundError, HolidayOverError, NoDaysLeftError
from games.models import Game, Holiday, Player, Seat
from games.queries.holidays import DAYS_A_YEAR, days_in
from games.services.locked import lock

AHEAD: Final = timedelta(days=366)


def take(
    player: Player, first: date, last: date, receipt: receipts.Draft | None = None
) -> Holiday | None:
    """Take days off, both included; None if the request was answered before.

    Raises `BadHolidayError`, `NoDaysLeftError`.
    """
    with transaction.atomic(durable=True):
        if receipts.repeated(receipt) is not None:
            return None
        # Two requests can't both take the last days.
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        _check(player, first, last)
        holiday = Holiday.objects.create(player=player, first=first, last=last)
        receipts.keep(receipt, {"holiday": holiday.pk})
    _move_deadlines(player)
    return holiday


def end(player: Player, holiday_id: int) -> None:
    """Call a holiday off, or let one that has begun end today.

    Raises `HolidayNotFoundError`, `HolidayOverError`.
    """
    with transaction.atomic(durable=True):
        holiday = Holiday.objects.select_for_update().filter(pk=holiday_id, player=player).first()
        if holiday is None:
            raise HolidayNotFoundError("You have no such holiday.")
        today = _today()
        if holiday.last < today:
            raise HolidayOverError("That holiday is over.")
        if holiday.first > today:
            holiday.delete()
        else:
            Holiday.objects.filter(pk=holiday_id).update(last=today)
    _move_deadlines(player)


def _check(player: Player, first: date, last: date) -> None:
    if not _today() <= first <= last <= _today() + AHEAD:
        raise BadHolidayError("From today on, within a year, and not backwards.", field="first")
    rows = list(Holiday.objects.filter(player=player))
    if any(row.first <= last and first <= row.last for row in rows):
        raise BadHolidayError("You have taken some of these days already.", field="first")
    for year in {first.year, last.year}:
        taken = sum(days_in(row.first, row.last, year) for row in rows)
        if taken + days_in(first, last, year) > DAYS_A_YEAR:
            raise NoDaysLeftError(
                f"There are {DAYS_A_YEAR} days in a year.",
                year=year,
                days_left=DAYS_A_YEAR - taken,
            )


def _move_deadlines(player: Player) -> None:
    """Write the deadlines of the player's games anew, so that who looks sees them at once."""
    mine = Seat.objects.filter(player=player).values("game")
    slow = Game.objects.filter(pk__in=mine, state=Game.State.PLAYING, move_days__isnull=False)
    for game_id in slow.order_by("pk").values_list("pk", flat=True):
        with transaction.atomic(durable=True):
            locked = lock(game_id)
            if locked.row.state == Game.State.PLAYING and locked.overdue() is None:
                locked.write()


def _today() -> date:
    return clock.now().astimezone(UTC).date()
