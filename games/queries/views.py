"""What leaves the process about a game: views, events, legal actions, by viewer.

Built only from the engine's allow-lists (`view`, `history`): API, pages, streams and bot calls
all come through here. `seat` is None for the public. Resigning is no action of the engine: who has
resigned, and an end that came of it, is put in here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from games.engine import Game, History, View, recent_events, view
from games.models import Game as GameRow

RESIGN = "resign"


class Story(NamedTuple):
    """What the engine does not know: who resigned after how many actions, and the end.

    `ending` and `places` are the row's when it is over, after `ply` actions, and somebody had
    resigned.
    """

    resigned: tuple[tuple[int, int], ...] = ()
    ending: str = ""
    places: tuple[tuple[int, ...], ...] = ()
    ply: int = 0


PLAIN = Story()


def story_of(row: GameRow) -> Story:
    """The story of a row as it stands."""
    if not row.resigned:
        return PLAIN
    resigned = tuple((seat, ply) for seat, ply in row.resigned)
    places = tuple(tuple(group) for group in row.places or ())
    return Story(resigned, row.ending, places, row.ply)


def story_after_move(row: GameRow, ply: int) -> Story:
    """The story as it stood when the move was made that was the game's `ply`th action."""
    whole = story_of(row)
    before = tuple(one for one in whole.resigned if one[1] < ply)
    if not before:
        return PLAIN
    ended_then = ply == row.ply and before == whole.resigned
    return whole if ended_then else Story(before)


def wire_view(
    game: Game, seat: int | None, seen: View | None = None, story: Story = PLAIN
) -> dict[str, Any]:
    """The view as JSON, with `events`: what happened from the seat's last decision on.

    `seen` is the seat's view, if the caller has it already.
    """
    wire: dict[str, Any] = {**(seen or view(game, seat)).wire()}
    events: list[Any] = recent_events(game, seat)
    if story is PLAIN:
        return {**wire, "events": events}
    since = events[0]["ply"] if events else game.ply
    wire["events"] = _merged(events, [e for e in _added(game, story) if since <= e["ply"]])
    if story.ending and game.ply >= story.ply:
        wire |= {"phase": "over", "turn": None, "to_act": [], "ending": story.ending}
        wire["places"] = [list(group) for group in story.places]
    return wire


def numbered(
    game: Game, seat: int | None, after: int = -1, story: Story = PLAIN
) -> list[dict[str, Any]]:
    """The viewer's events with a number above `after`; numbers have no gaps.

    A resignation follows all that had happened until then, so that it moves no number.
    """
    events = History(game, seat)
    if story is PLAIN:
        first = min(after + 1, len(events))
        return [{"number": n, **events[n]} for n in range(first, len(events))]
    whole = _merged(list(events), _added(game, story))
    return [{"number": n, **event} for n, event in enumerate(whole) if n > after]


def _merged(events: list[Any], added: list[Any]) -> list[Any]:
    """By ply; at one ply what the engine tells comes first."""
    return sorted([*events, *added], key=lambda event: event["ply"])


def _added(game: Game, story: Story) -> list[dict[str, Any]]:
    """What the engine has no event for, as far as the game is shown."""
    resigned = [(seat, ply) for seat, ply in story.resigned if ply <= game.ply]
    added: list[dict[str, Any]] = [
        {"ply": ply, "event": RESIGN, "seat": seat} for seat, ply in resigned
    ]
    if story.ending and game.ending is None and game.ply >= story.ply:
        added.append({"ply": game.ply, "event": "over"})
    return added
