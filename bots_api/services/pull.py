"""The mailbox of bots that connect out: messages put, looked at, given up; who is connected.

The row is the clock: a deadline is set and judged by the database's clock, after the lock that
decides (guarantees.md, R4), so that an answer counts or the default action is played, never both.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db import connection, transaction
from django.db.models import Count, Q
from django.db.models.functions import Now

from bots_api.models import Bot, OpenTurn
from bots_api.protocol.messages import Message, handshake_line
from bots_api.services import news
from bots_api.services.heard import AskedTurn
from config.kit import clock
from config.kit.clock import ClockTimestamp

# For the way to the bot and back: a deadline is so much later than the bot is told.
WAY_MS: Final = 250
HANDSHAKE_S: Final = 60
SEEN_EVERY = timedelta(seconds=5)
KEPT = timedelta(hours=1)

Kind = OpenTurn.Kind
OPEN = Q(answered_at=None, closed_at=None)


class Put(NamedTuple):
    """A message that lies in the mailbox, perhaps from before: how to wait for its answer."""

    request_id: str
    message: str


class Outcome(NamedTuple):
    """What has become of a message: answered, given up, or open for `left_s` seconds more.

    `spent_ms` counts on the bot's clock: the time for the way is given.
    """

    reply: dict[str, Any] | None
    spent_ms: int
    took_ms: int
    left_s: float
    closed: bool


def stands(asked: AskedTurn) -> bool:
    """Whether this turn lies in the mailbox: then its answer is waited for there."""
    return OpenTurn.objects.filter(kind=Kind.TURN, **asked._asdict()).exists()


def put(bot_id: int, kind: OpenTurn.Kind, message: Message, allowed_ms: int) -> str:
    """Put a message that is no turn; returns its request id."""
    with transaction.atomic(durable=True):
        _lock(bot_id)
        return _insert(bot_id, kind, message, allowed_ms).request_id


def put_turn(bot_id: int, asked: AskedTurn, message: Message, allowed_ms: int) -> Put | None:
    """Put a turn, or find that it lies there: then its clock runs on. None: no slot is free.

    The clock starts in this commit, whether the bot is connected or not.
    """
    with transaction.atomic(durable=True):
        _without_waiting_for_disk()
        bot = _lock(bot_id)
        row = OpenTurn.objects.filter(kind=Kind.TURN, **asked._asdict()).first()
        if row is None:
            if _open_turns(bot_id) >= bot.concurrency:
                return None
            row = _insert(bot_id, Kind.TURN, message, allowed_ms + WAY_MS, asked)
        return Put(row.request_id, row.message)


def look(request_id: str) -> Outcome:
    """What has become of a message; one whose time is up is closed by this very look."""
    read = OpenTurn.objects.annotate(now=ClockTimestamp()).get(request_id=request_id)
    row: OpenTurn = read
    now: datetime = read.now
    if row.answered_at is None and row.closed_at is None and now > row.deadline_at:
        row = _close(request_id)
    took_ms = _took_ms(row, row.answered_at or now)
    return Outcome(
        reply=row.reply,
        spent_ms=max(0, took_ms - WAY_MS),
        took_ms=took_ms,
        left_s=(row.deadline_at - now).total_seconds(),
        closed=row.closed_at is not None,
    )


def arrive(bot_id: int) -> None:
    """Note that the bot has connected, and ask who it is unless that question lies there."""
    with transaction.atomic(durable=True):
        _lock(bot_id)
        Bot.objects.filter(pk=bot_id).update(seen_at=Now())
        asked = OpenTurn.objects.filter(OPEN, bot=bot_id, kind=Kind.HANDSHAKE)
        if not asked.filter(deadline_at__gt=ClockTimestamp()).exists():
            _insert(bot_id, Kind.HANDSHAKE, handshake_line(), HANDSHAKE_S * 1000)


def seen(bot_id: int) -> None:
    """Note that the bot is still connected, or has asked for messages."""
    stale = Q(seen_at=None) | Q(seen_at__lt=Now() - SEEN_EVERY)
    Bot.objects.filter(stale, pk=bot_id).update(seen_at=Now())


def sweep() -> int:
    """Throw away messages whose time was up an hour ago."""
    old = OpenTurn.objects.filter(deadline_at__lt=Now() - KEPT)
    return old.delete()[0]


def _without_waiting_for_disk() -> None:
    """A question that a crash of the database swallows is put again: nobody acted on it."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL synchronous_commit = off")


def _lock(bot_id: int) -> Bot:
    """The bot's row, locked: one message of a bot after the other, so that ids are a cursor."""
    return Bot.objects.select_for_update(no_key=True).get(pk=bot_id)


def _open_turns(bot_id: int) -> int:
    turns = OpenTurn.objects.filter(OPEN, bot=bot_id, kind=Kind.TURN)
    found = turns.filter(deadline_at__gt=ClockTimestamp()).aggregate(count=Count("pk"))
    return int(found["count"])


def _insert(
    bot_id: int,
    kind: OpenTurn.Kind,
    message: Message,
    allowed_ms: int,
    asked: AskedTurn | None = None,
) -> OpenTurn:
    now = clock.now()
    row = OpenTurn.objects.create(
        bot_id=bot_id,
        kind=kind,
        request_id=message.request_id,
        message=message.body.decode(),
        opened_at=now,
        deadline_at=now + timedelta(milliseconds=allowed_ms),
        **(asked._asdict() if asked is not None else {}),
    )
    news.tell(news.bot_key(bot_id))
    return row


def _close(request_id: str) -> OpenTurn:
    """Give a message up whose time has passed, unless an answer was quicker."""
    with transaction.atomic(durable=True):
        row = OpenTurn.objects.select_for_update().get(request_id=request_id)
        if row.answered_at is None and row.closed_at is None:
            row.closed_at = clock.now()
            row.save(update_fields=["closed_at"])
            news.tell(news.slot_key(row.bot_id))
        return row


def _took_ms(row: OpenTurn, until: datetime) -> int:
    """From the question put to the answer taken; what counts has the time for the way off it."""
    return int((until - row.opened_at) // timedelta(milliseconds=1))
