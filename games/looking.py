"""Looking at a game, for API, pages and streams: whose clock has run out is played first.

Owns the bytes of views that this process has made: one for all who see the same. Who may look is
the queries' to say.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final, NamedTuple
from uuid import UUID

from config.kit import etag
from config.kit.wire import dumps
from games.errors import GameNotFoundError
from games.queries.objects import game_wire
from games.queries.played import Played, is_hidden, load, read
from games.queries.stamps import Stamp, stamp
from games.services import moves
from games.tasks import follow_up

HELD_VIEWS: Final = 2048


class Look(NamedTuple):
    """What one kind of viewer gets: the JSON of the game, and its entity tag."""

    body: bytes
    tag: str


def look(game_id: UUID, viewer_id: int | None) -> Played:
    """The game as it stands for this viewer. Raises `GameNotFoundError`."""
    played = load(game_id, viewer_id)
    if not played.overdue:
        return played
    follow_up(moves.expire(game_id))
    return load(game_id, viewer_id)


def look_for_all(game_id: UUID) -> Played:
    """The game as it stands, for somebody who asks himself who may look."""
    played = read(game_id)
    if not played.overdue:
        return played
    follow_up(moves.expire(game_id))
    return read(game_id)


def glance(game_id: UUID, viewer_id: int | None) -> Look:
    """The game as JSON; one statement and no replay while nothing has changed.

    Raises `GameNotFoundError`.
    """
    now = stamp(game_id)
    if now is None or now.overdue:
        return rendered(look(game_id, viewer_id), viewer_id)
    if not now.may_look(viewer_id):
        raise GameNotFoundError("There is no such game.")
    seat = now.seat_of(viewer_id)
    if seat is None and is_hidden(now.competition_ref, viewer_id):
        raise GameNotFoundError("There is no such game.")
    found = _held.get(now, seat)
    if found is None:
        played = look(game_id, viewer_id)
        found = rendered(played, viewer_id)
        # Who sat down between the two statements got a seat's view: that is nobody else's.
        if played.seat_of(viewer_id) == seat:
            _held.put(now, seat, found)
    return found


def seen(now: Stamp, played: Played, seat: int | None) -> Look:
    """The game as `seat` sees it; `played` was read after `now`, with the same seats."""
    found = _held.get(now, seat)
    if found is None:
        found = _rendered(played, seat)
        _held.put(now, seat, found)
    return found


def rendered(played: Played, viewer_id: int | None) -> Look:
    """The game as JSON, made anew."""
    return _rendered(played, played.seat_of(viewer_id))


def _rendered(played: Played, seat: int | None) -> Look:
    body = dumps(game_wire(played, seat))
    return Look(body, etag.tag_of(body))


class _Held:
    """The views made last, by (game, stamp, seat); safe to share between threads."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._looks: OrderedDict[tuple[UUID, str, int | None], Look] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, now: Stamp, seat: int | None) -> Look | None:
        key = (now.game_id, now.key, seat)
        with self._lock:
            found = self._looks.get(key)
            if found is not None:
                self._looks.move_to_end(key)
            return found

    def put(self, now: Stamp, seat: int | None, look: Look) -> None:
        with self._lock:
            self._looks[now.game_id, now.key, seat] = look
            while len(self._looks) > self._size:
                self._looks.popitem(last=False)


_held = _Held(HELD_VIEWS)
