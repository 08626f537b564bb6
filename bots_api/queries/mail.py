"""What lies in a bot's mailbox, as the lines that the bot reads; changes nothing."""

from __future__ import annotations

import json
from typing import NamedTuple

from django.db.models import Q

from bots_api.models import OpenTurn
from config.kit.clock import ClockTimestamp

MOST = 200
REPLIES = "/api/v1/bot/replies"


class Line(NamedTuple):
    """A message with its place in the mailbox."""

    cursor: int
    text: str


def waiting(bot_id: int, after: int, again: bool) -> list[Line]:
    """Open messages with a number above `after`; with `again` the open ones below it too.

    News that want no answer (`game_end`) come once, whatever `again` says.
    """
    mine = OpenTurn.objects.filter(bot=bot_id, answered_at=None, closed_at=None)
    rows = mine.filter(deadline_at__gt=ClockTimestamp())
    fresh = Q(pk__gt=after)
    kept = fresh | ~Q(kind=OpenTurn.Kind.GAME_END) if again else fresh
    return [Line(row.pk, _line(row)) for row in rows.filter(kept).order_by("pk")[:MOST]]


def _line(row: OpenTurn) -> str:
    """The message with what this transport adds: where the answer goes, by when, the cursor."""
    at_game = row.kind == OpenTurn.Kind.TURN
    more = {
        "reply_to": f"/api/v1/games/{row.game_ref}/moves" if at_game else REPLIES,
        "deadline_at": f"{row.deadline_at:%Y-%m-%dT%H:%M:%S.%f}Z",
        "cursor": row.pk,
    }
    added = json.dumps(more, separators=(",", ":"))
    return f"{row.message[:-1]},{added[1:]}"
