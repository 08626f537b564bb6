"""Invitations: a free seat is kept for somebody, who alone may take it or give it up."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from config.kit import receipts
from games.errors import NotInvitableError, NotYourSeatError
from games.models import Player, Seat
from games.services import forming
from games.services.forming import Placed


def invite(
    game_id: UUID, by: Player, player_id: int, receipt: receipts.Draft | None = None
) -> Placed:
    """Keep a free seat for a person; who has one there keeps it. Answers with the inviter's seat.

    Raises `NotYourSeatError`, `NotInvitableError`, `GameFullError`, `NotFormingError`.
    """
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return Placed(game_id, outcome["seat"])
        game, seats = forming.locked(game_id, by)
        own = forming.own_seat(seats, by.pk)
        if own is None:
            raise NotYourSeatError("Only who sits there invites.")
        guest = _person(player_id)
        if not any(guest.pk in (seat.player_id, seat.invited_id) for seat in seats):
            seat = forming.free_seat(seats, guest)
            Seat.objects.filter(pk=seat.pk).update(invited=guest)
            forming.settle_state(game)
        receipts.keep(receipt, {"seat": own.index})
        return Placed(game_id, own.index)


def _person(player_id: int) -> Player:
    people = (Player.Kind.PERSON, Player.Kind.GUEST)
    found = Player.objects.filter(pk=player_id, kind__in=people, anonymised_at=None).first()
    if found is None:
        raise NotInvitableError("There is no such person.", field="player")
    return found
