"""What bots that connect out hand in: answers to turns, and replies to everything else.

Judged by the database's clock after the lock that decides, as everything of the mailbox
(`services.pull`): an answer counts or the default action is played, never both.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from bots_api.errors import MessageNotFoundError, TooLateError, WrongDoorError
from bots_api.models import Bot, OpenTurn
from bots_api.protocol import replies
from bots_api.services import heard, news
from bots_api.services.heard import AskedTurn
from bots_api.services.pull import SEEN_EVERY
from config.kit import clock
from games.models import By
from games.services.handing_in import HandedIn

Kind = OpenTurn.Kind


def hand_in(game_id: UUID, seat: int, move_number: int, action: str) -> HandedIn | None:
    """Take a canonical, legal action as the answer to an open turn (`settings.SEAT_ANSWERS`).

    Inside the transaction of the move, which holds the game's lock. None: no turn was put.
    """
    asked = AskedTurn(game_id, seat, move_number)
    rows = OpenTurn.objects.select_for_update().filter(kind=Kind.TURN, **asked._asdict())
    row = rows.first()
    if row is None:
        return None
    if row.reply is not None:
        return HandedIn(row.reply["action"], By.SEAT)
    # The clock after the lock: whoever gives the turn up holds the same lock.
    now = clock.now()
    if row.closed_at is not None or now > row.deadline_at:
        return HandedIn(None, By.DEFAULT)
    _answer(row, {"action": action}, now)
    return HandedIn(action, By.SEAT)


def reply(bot_id: int, request_id: str, said: dict[str, Any]) -> None:
    """Take the reply to a message that is no turn; the first one counts, again is no error.

    A handshake must be one: raises `Unusable` else, and `MessageNotFoundError`, `TooLateError`,
    `WrongDoorError`.
    """
    with transaction.atomic(durable=True):
        rows = OpenTurn.objects.select_for_update().filter(bot=bot_id, request_id=request_id)
        row = rows.first()
        if row is None:
            raise MessageNotFoundError("No such message was sent to this bot.")
        if row.kind == Kind.TURN:
            raise WrongDoorError("Turns are answered at /games/{id}/moves.", game=row.game_ref)
        if row.answered_at is not None and row.reply == said:
            return
        now = clock.now()
        if not _is_open(row, now):
            raise TooLateError("The message was answered before, or its time is up.")
        if row.kind == Kind.HANDSHAKE:
            heard.note_handshake(bot_id, replies.handshake_of(said)._asdict())
        _answer(row, said, now)


def _answer(row: OpenTurn, said: dict[str, Any], now: datetime) -> None:
    row.answered_at, row.reply = now, said
    row.save(update_fields=["answered_at", "reply"])
    stale = Q(answered_at=None) | Q(answered_at__lt=Now() - SEEN_EVERY)
    Bot.objects.filter(stale, pk=row.bot_id).update(answered_at=Now())
    news.tell(row.request_id)
    news.tell(news.slot_key(row.bot_id))


def _is_open(row: OpenTurn, now: datetime) -> bool:
    return row.answered_at is None and row.closed_at is None and now <= row.deadline_at
