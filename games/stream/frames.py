"""What one kind of viewer is told of a game, as pieces of an event stream.

Events carry their number as `id`, the index in the list that is replayed from the row, so that it
is the same in every process; a view carries none, and is worth nothing when the next one comes.
"""

from __future__ import annotations

from typing import NamedTuple

from config.kit.wire import dumps
from games.looking import Look, rendered, seen
from games.queries.phrases import phrases
from games.queries.played import DECIDED, Played
from games.queries.stamps import Stamp
from games.queries.views import numbered

HELLO = b"retry: 2000\n\n"
HEARTBEAT = b":\n\n"


class Told(NamedTuple):
    """All events until now, the first at 0, and the view, which carries an entity tag as well."""

    events: tuple[bytes, ...]
    view: bytes
    tag: str
    over: bool
    phrases: tuple[tuple[int, bytes], ...] = ()
    """What was said last, by id; a phrase takes no event's number."""

    def after(self, number: int, tag: str = "") -> bytes:
        """What follows for a viewer who has the events up to `number` and the view `tag`."""
        parts = [*self.events[number + 1 :]]
        if self.tag != tag:
            parts.append(self.view)
        if self.over:
            parts.append(END)
        return b"".join(parts)

    def said_after(self, phrase: int) -> bytes:
        """The phrases with a later id."""
        return b"".join(piece for id_, piece in self.phrases if id_ > phrase)

    @property
    def last_said(self) -> int:
        """The id of the last phrase, 0 if none was said."""
        return self.phrases[-1][0] if self.phrases else 0

    @property
    def last(self) -> int:
        """The number of the last event, -1 before the first."""
        return len(self.events) - 1


def frame(kind: str, data: bytes, number: int | None = None) -> bytes:
    """One event of a stream; JSON has no line breaks of its own.

    >>> frame("event", b"{}", 3)
    b'id: 3\\nevent: event\\ndata: {}\\n\\n'
    """
    numbered = b"" if number is None else b"id: %d\n" % number
    return numbered + b"event: %s\ndata: %s\n\n" % (kind.encode(), data)


END = frame("end", b"{}")


def tell(now: Stamp, played: Played, seat: int | None, before: Told | None = None) -> Told:
    """What `seat` (None: everybody) is told; `before` spares writing the same events again."""
    return _told(seen(now, played, seat), played, seat, () if before is None else before.events)


def tell_all(played: Played, viewer_id: int | None) -> Told:
    """What a viewer is told of a game, written for him alone."""
    return _told(rendered(played, viewer_id), played, played.seat_of(viewer_id), ())


def _told(look: Look, played: Played, seat: int | None, known: tuple[bytes, ...]) -> Told:
    shown = played.shown(seat)
    new = [] if shown is None else numbered(shown, seat, len(known) - 1, played.story)
    events = (frame("event", dumps(event), event["number"]) for event in new)
    over = played.row.state in DECIDED
    said = tuple((p["id"], frame("phrase", dumps(p))) for p in phrases(played.row.pk))
    return Told((*known, *events), frame("view", look.body), look.tag, over, said)
