"""Resigning: the stand-in plays the seat on, and it is placed last of those who were left."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from config.kit import receipts
from config.kit.hub import notify
from games.errors import (
    GameNotFoundError,
    NotPlayingError,
    NotResignableError,
    NotYourSeatError,
)
from games.models import Game, Player, Seat
from games.queries.played import is_outsider
from games.services.forming import Placed
from games.services.locked import Locked, lock
from games.services.moves import ended, play_defaults
from games.services.plies import CHANNEL


def resign(game_id: UUID, player: Player, receipt: receipts.Draft | None = None) -> Placed:
    """Give a game up; saying it again changes nothing. The game ends at once when no person, or
    only one seat that has not resigned, is left in it.

    Raises `NotResignableError` (a game of a competition, a seat that is out), `NotYourSeatError`,
    `GameOverError`, `NotPlayingError`, `GameNotFoundError`.
    """
    while True:
        with transaction.atomic(durable=True):
            outcome = receipts.repeated(receipt)
            if outcome is not None:
                return Placed(game_id, outcome["seat"])
            locked = lock(game_id)
            if locked.overdue() is None:
                placed = _resign(locked, player)
                receipts.keep(receipt, {"seat": placed.seat})
                return placed
            play_defaults(locked)


def _resign(locked: Locked, player: Player) -> Placed:
    row, seat = locked.row, _seat_of(locked, player)
    if locked.seats[seat].resigned_at is not None:
        return Placed(row.id, seat)
    _check(locked, seat)
    locked.resign(seat)
    Game.objects.filter(pk=row.id).update(resigned=row.resigned)
    Seat.objects.filter(game=row.id, index=seat).update(
        resigned_at=Now(), stand_in_at=locked.seats[seat].stand_in_at
    )
    locked.write()
    # No action came with it that would have told those who watch.
    notify(CHANNEL, str(row.id))
    return Placed(row.id, seat, locked.progress())


def _seat_of(locked: Locked, player: Player) -> int:
    seat = locked.seat_of(player.pk)
    if seat is None and is_outsider(locked.row, locked.seats, player.pk):
        raise GameNotFoundError("There is no such game.")
    if seat is None:
        raise NotYourSeatError("You have no seat in this game.")
    return seat


def _check(locked: Locked, seat: int) -> None:
    row = locked.row
    if row.started_at is None:
        raise NotPlayingError("The cards have not been dealt: leave instead.")
    if row.state != Game.State.PLAYING:
        raise ended(locked)
    if row.kind != Game.Kind.EVENTED or row.competition_ref is not None:
        raise NotResignableError("Games of competitions are played to their end.")
    if any(seat in group for group in locked.game.places):
        raise NotResignableError("You are out already, and have your place.")
