"""What leaves the process about a game: views, events, legal actions, by viewer.

Built only from the engine's allow-lists (`view`, `history`): API, pages, streams and bot calls
all come through here. `seat` is None for the public.
"""

from __future__ import annotations

from typing import Any, Final

from games.engine import EventDict, Game, History, view

# Events that are a seat's own decision; what else happens follows from one.
_DECISIONS: Final = frozenset(
    (
        "swap",
        "play",
        "claim",
        "blind",
        "blind_failed",
        "chance",
        "chance_failed",
        "draw_first",
        "pick_up",
        "pass",
        "accept",
        "challenge",
    )
)


def wire_view(game: Game, seat: int | None) -> dict[str, Any]:
    """The view as JSON, with `events`: what happened from the seat's last decision on."""
    return {**view(game, seat).wire(), "events": recent(game, seat)}


def recent(game: Game, seat: int | None) -> list[EventDict]:
    """Events from the seat's last decision on, all before its first; the public: the last ply."""
    events = History(game, seat)
    first = _last_decision(events, seat) if seat is not None else events.first_after(game.ply - 1)
    return events[first if game.ply else 0 :]


def numbered(game: Game, seat: int | None, after: int = -1) -> list[dict[str, Any]]:
    """The viewer's events with a number above `after`; numbers have no gaps."""
    events = History(game, seat)
    first = min(after + 1, len(events))
    return [{"number": n, **events[n]} for n in range(first, len(events))]


def _last_decision(events: History, seat: int) -> int:
    for number in range(len(events) - 1, 0, -1):
        event = events[number]
        if event["event"] in _DECISIONS and event.get("seat") == seat:
            return number
    return 0
