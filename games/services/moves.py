"""Moves: the straight line from a seat's action to the committed row.

Every public function is one durable transaction (more if a clock has run out on the way) and
returns what became true. The row is the only truth; `move_number` makes a move safe to repeat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction

from config.kit import quick
from games import engine
from games.errors import (
    EarlyMoveError,
    GameNotFoundError,
    GameOverError,
    NotPlayingError,
    NotYourSeatError,
    ResignedError,
    StaleMoveError,
)
from games.models import By, Game
from games.queries import clocks, replays
from games.queries.played import is_outsider
from games.queries.views import story_after_move, wire_view
from games.services.handing_in import hand_in
from games.services.locked import Locked, lock
from games.services.plies import Change, Ply, SeatClock, write
from games.services.progress import Progress


@dataclass(frozen=True)
class Acted:
    """The answer to a move, the same each time it is asked for.

    `waiting`: the answer is in and sealed until the others have answered; `link` is the chain's
    after this action, None while it waits. `view` is the seat's at `ply`.
    """

    game_id: UUID
    seat: int
    move_number: int
    action: str
    by: By
    waiting: bool
    ply: int
    link: bytes | None
    view: dict[str, Any]
    progress: Progress = field(default_factory=Progress)


class How(NamedTuple):
    """How the service came by a seat's action: who chose it, and what that took on its clock.

    Without `spent_ms` the row's clock counts. `also` runs in the transaction of a move that is new.
    """

    by: By = By.SEAT
    spent_ms: int | None = None
    also: Callable[[], None] | None = None


class DrivenMove(NamedTuple):
    """What the driver has computed for one game under its lease; `game` is the state after it.

    `also` runs inside the same transaction, only if the move was stored.
    """

    game_id: UUID
    owner: str
    fence: int
    seen_ply: int
    plies: Sequence[Ply]
    head: bytes
    clocks: Sequence[SeatClock]
    game: engine.Game
    also: Callable[[], None] | None = None


def act(game_id: UUID, player_id: int, move_number: int, action: str) -> Acted:
    """Play `action` as the player's decision number `move_number`.

    Raises `IllegalAction`, `StaleMoveError`, `EarlyMoveError`, `GameOverError`,
    `NotPlayingError`, `NotYourSeatError`, `GameNotFoundError`.
    """

    def seat(locked: Locked) -> int:
        found = locked.seat_of(player_id)
        if found is None and is_outsider(locked.row, locked.seats, player_id):
            raise GameNotFoundError("There is no such game.")
        if found is None:
            raise NotYourSeatError("You have no seat in this game.")
        return found

    # Sent twice, a move is taken once.
    return quick.repeatable(lambda: _act(game_id, seat, move_number, action))


def act_seat(game_id: UUID, seat: int, move_number: int, action: str, how: How) -> Acted:
    """Play for a seat that the service itself has asked: house bots, remote bots, stand-ins."""
    return _act(game_id, lambda _: seat, move_number, action, how)


def expire(game_id: UUID) -> Progress:
    """Play the default action of every seat whose time is up."""
    with transaction.atomic(durable=True):
        locked = lock(game_id)
        if locked.overdue() is not None:
            return play_defaults(locked)
        if locked.is_postponed():
            return locked.write()
    return Progress()


def commit_driven(moves: Sequence[DrivenMove]) -> list[bool]:
    """Store the moves of many games in one transaction; False where the lease or ply was lost.

    What is stored is on disk: the next turn tells the next bot of it, and a move that somebody has
    seen must not be taken back by a crash.
    """
    ordered = sorted(moves, key=lambda move: move.game_id)
    # One statement is a transaction by itself: it spares two ways to the database and back.
    alone = all(move.also is None and move.game.ending is None for move in ordered)
    with nullcontext() if alone else transaction.atomic(durable=True):
        written = write([_change(move) for move in ordered])
        for move in ordered:
            if move.also is not None and move.game_id in written:
                move.also()
    return [move.game_id in written for move in moves]


def _act(
    game_id: UUID,
    find_seat: Callable[[Locked], int],
    number: int,
    action: str,
    how: How | None = None,
) -> Acted:
    """Play what has expired first, each in a transaction of its own, then the move.

    Without `how` the player himself asks.
    """
    while True:
        with transaction.atomic(durable=True):
            locked = lock(game_id)
            if locked.overdue() is None:
                return _take(locked, find_seat(locked), number, action, how)
            play_defaults(locked)


def play_defaults(locked: Locked) -> Progress:
    """Play for every person whose time is up; the caller's transaction holds the lock."""
    while (seat := locked.overdue()) is not None:
        locked.take(seat, locked.game.default_action(seat), By.DEFAULT)
    return locked.write()


def _take(locked: Locked, seat: int, number: int, action: str, how: How | None) -> Acted:
    if locked.row.started_at is None:
        raise NotPlayingError("The cards have not been dealt.")
    game = locked.game
    if number < game.move_number(seat):
        return _repeat(locked, seat, number, action)
    if locked.row.state != Game.State.PLAYING:
        raise ended(locked)
    if number > game.move_number(seat) or seat not in game.to_act():
        raise EarlyMoveError("You have not come to that decision.", move_number=number)
    if locked.waits(seat):
        return _still_waiting(locked, seat, number, action)
    chosen = game.check(seat, action)
    if how is None and locked.seats[seat].resigned_at is not None:
        raise ResignedError("You have resigned: the stand-in plays on.")
    if how is None and locked.seats[seat].agent_ref:
        return _handed_in(locked, seat, number, chosen)
    return _taken(locked, seat, number, chosen, how or How())


def _handed_in(locked: Locked, seat: int, number: int, action: str) -> Acted:
    """A bot's own answer. At a driven table it is kept with the question, and the driver, which
    holds the table's lease, plays it; elsewhere it is a move like anybody's."""
    driven = locked.row.kind == Game.Kind.DRIVEN
    held = hand_in(locked.seats[seat].agent_ref, locked.row.id, seat, number, action)
    if held is None:
        if driven:
            raise EarlyMoveError("That turn has not been put to you.", move_number=number)
        return _taken(locked, seat, number, action, How())
    if action != (held.action or locked.game.default_action(seat)):
        raise _stale(number)
    if driven:
        return _unpushed(locked, seat, number, action, held.by)
    return _taken(locked, seat, number, action, How(held.by))


def _taken(locked: Locked, seat: int, number: int, action: str, how: How) -> Acted:
    locked.take(seat, action, how.by, how.spent_ms)
    progress = locked.write()
    if how.also is not None:
        how.also()
    return Acted(
        game_id=locked.row.id,
        seat=seat,
        move_number=number,
        action=action,
        by=how.by,
        waiting=locked.waits(seat),
        ply=locked.game.ply,
        link=locked.links.get(seat),
        view=wire_view(locked.game, seat, story=locked.story()),
        progress=progress,
    )


def _repeat(locked: Locked, seat: int, number: int, action: str) -> Acted:
    """Answer for a decision that was taken before: from the record, by replaying to its ply."""
    row = locked.row
    start, actions = replays.start_of(row), bytes(row.actions)
    past = replays.past(start, actions, seat, number)
    if past is None or not _same(past.before, seat, action, past.action):
        raise _stale(number)
    return Acted(
        game_id=row.id,
        seat=seat,
        move_number=number,
        action=past.action,
        by=By(bytes(row.by)[past.ply - 1]),
        waiting=False,
        ply=past.after.ply,
        link=_link(row, past.ply),
        view=wire_view(past.after, seat, story=story_after_move(row, past.after.ply)),
    )


def _still_waiting(locked: Locked, seat: int, number: int, action: str) -> Acted:
    answer = locked.pending[str(seat)]
    if not _same(locked.game, seat, action, answer["action"]):
        raise _stale(number)
    return _unpushed(locked, seat, number, answer["action"], By(answer["by"]))


def _unpushed(locked: Locked, seat: int, number: int, action: str, by: By) -> Acted:
    """An answer that is in and stands, but is not played yet."""
    return Acted(
        game_id=locked.row.id,
        seat=seat,
        move_number=number,
        action=action,
        by=by,
        waiting=True,
        ply=locked.game.ply,
        link=None,
        view=wire_view(locked.game, seat, story=locked.story()),
    )


def _same(before: engine.Game, seat: int, action: str, taken: str) -> bool:
    """Whether a seat's text means the action that was taken."""
    try:
        return before.check(seat, action) == taken
    except engine.IllegalAction:
        return False


def _link(row: Game, ply: int) -> bytes:
    """The chain's link at a ply, computed anew."""
    played = [
        (step.seat, step.action)
        for step in replays.steps(replays.start_of(row), bytes(row.actions))
    ]
    times = clocks.unpacked(bytes(row.at_ms), row.ply)
    return engine.chain(bytes(row.deck.server_seed), played[:ply], times[:ply])


def _stale(number: int) -> StaleMoveError:
    return StaleMoveError("That decision was taken by another action.", move_number=number)


def ended(locked: Locked) -> Exception:
    """Why nothing can be played any more."""
    if locked.row.state == Game.State.OVER:
        row = locked.row
        return GameOverError("The game is over.", places=row.places, ending=row.ending)
    return NotPlayingError("The game was called off.")


def _change(move: DrivenMove) -> Change:
    return Change(
        game_id=move.game_id,
        seen_ply=move.seen_ply,
        plies=move.plies,
        head=move.head,
        game=move.game,
        clocks=move.clocks,
        owner=move.owner,
        fence=move.fence,
    )
