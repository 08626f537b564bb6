"""Whom to write that it is his turn, in games by correspondence: at most once a decision.

It is noted under the game's lock that somebody will be written to, before anything is sent: a
letter may get lost in a crash, but none comes twice. Sends nothing itself.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import F

from games.models import By, Game, Player, Seat
from games.services.locked import Locked, lock


class Letter(NamedTuple):
    """To whom, in which language ("": the service's), about which game, until when."""

    address: str
    language: str
    name: str
    game_id: UUID
    deadline: datetime
    others: tuple[str, ...]


def due(game_id: UUID) -> list[Letter]:
    """The letters that are due in a game now, noted as written."""
    with transaction.atomic(durable=True):
        locked = lock(game_id)
        if locked.row.state != Game.State.PLAYING or locked.row.move_days is None:
            return []
        players = Player.objects.select_related("user").in_bulk(
            [seat.player_id for seat in locked.seats if seat.player_id is not None]
        )
        asked = [seat for seat in locked.asked_people() if _is_new(locked, seat)]
        Game.objects.filter(pk=game_id).update(mailed_ply=F("ply"))
        for seat in asked:
            number = locked.game.move_number(seat)
            Seat.objects.filter(game=game_id, index=seat).update(mailed_number=number)
        letters = [_letter(locked, seat, players) for seat in asked if seat != _just_moved(locked)]
    return [letter for letter in letters if letter is not None]


def _is_new(locked: Locked, seat: int) -> bool:
    return locked.seats[seat].mailed_number < locked.game.move_number(seat)


def _just_moved(locked: Locked) -> int | None:
    """Who has just moved himself: he knows that it is his turn again."""
    if not locked.row.by or bytes(locked.row.by)[-1] != By.SEAT:
        return None
    return locked.last_actor()


def _letter(locked: Locked, seat: int, players: dict[int, Player]) -> Letter | None:
    player = players[locked.seats[seat].player_id or 0]
    address = player.user.email if player.user is not None and player.mails_turns else ""
    if not address:
        return None
    others = tuple(players[s.player_id].name for s in locked.seats if s.player_id in players)
    return Letter(
        address=address,
        language=player.language,
        name=player.name,
        game_id=locked.row.id,
        deadline=locked.deadline_of(seat),
        others=tuple(name for name in others if name != player.name),
    )
