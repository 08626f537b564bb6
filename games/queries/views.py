"""What leaves the process about a game: views, events, legal actions, by viewer.

Built only from the engine's allow-lists (`view`, `history`): API, pages, streams and bot calls
all come through here. `seat` is None for the public.
"""

from __future__ import annotations

from typing import Any

from games.engine import Game, History, View, recent_events, view


def wire_view(game: Game, seat: int | None, seen: View | None = None) -> dict[str, Any]:
    """The view as JSON, with `events`: what happened from the seat's last decision on.

    `seen` is the seat's view, if the caller has it already.
    """
    return {**(seen or view(game, seat)).wire(), "events": recent_events(game, seat)}


def numbered(game: Game, seat: int | None, after: int = -1) -> list[dict[str, Any]]:
    """The viewer's events with a number above `after`; numbers have no gaps."""
    events = History(game, seat)
    first = min(after + 1, len(events))
    return [{"number": n, **events[n]} for n in range(first, len(events))]
