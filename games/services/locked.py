"""A game whose row is locked: its replay, clocks and waiting answers, and what a commit adds.

Owns one decision's way from canonical text to a `Change`; refuses to know who asked. Sealed
answers (swap, challenges) wait in `pending` and are pushed together when the last is in
(architecture.md, "Several seats to act"); nothing that others see changes before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from config.kit import clock
from config.kit.columns import Columns, fetch
from games import engine
from games.engine import resigning
from games.errors import GameNotFoundError
from games.models import By, Deck, Game, RulesCard, Seat
from games.queries import clocks, replays
from games.queries.holidays import away_of
from games.queries.views import Story, story_of
from games.services.plies import Change, End, Ply, SeatClock, write
from games.services.progress import Progress


class Locked:
    """A live game under its row's lock. `game` is this object's own and moves on with `take`."""

    def __init__(
        self,
        row: Game,
        seats: Sequence[Seat],
        now: datetime,
        away: Mapping[int, Sequence[clocks.Away]],
    ) -> None:
        self.row = row
        self.seats = seats
        self.now = now
        self._away = away
        self.pending: dict[str, Any] = dict(row.pending)
        self.head = bytes(row.head)
        self.plies: list[Ply] = []
        # The chain's link after each seat's action, as far as it was pushed here.
        self.links: dict[int, bytes] = {}
        self._changed: dict[int, SeatClock] = {}
        self._last_ms = int.from_bytes(bytes(row.at_ms)[-clocks.time_bytes(row) :], "big")
        self._dealt = row.started_at is not None
        if self._dealt:
            self.game = replays.replayed(row)

    def seat_of(self, player_id: int) -> int | None:
        """The seat of a player, None if it has none here."""
        return next((seat.index for seat in self.seats if seat.player_id == player_id), None)

    def waits(self, seat: int) -> bool:
        """Whether the seat's answer is in and waits for the others."""
        return str(seat) in self.pending

    def open_seats(self) -> list[int]:
        """Seats that are to act and have not answered."""
        if self.end is not None:
            return []
        return [seat for seat in self.game.to_act() if not self.waits(seat)]

    def overdue(self) -> int | None:
        """A person's seat whose time is up, None if there is none."""
        if self.row.state != Game.State.PLAYING:
            return None
        now_ms = clocks.ms_since(self._started, self.now)
        late = [seat for seat in self._people() if now_ms > self._deadline_ms(seat)]
        return late[0] if late else None

    def resign(self, seat: int) -> None:
        """Hand the seat to the stand-in for good, to be placed last of those left."""
        self.row.resigned = [*(self.row.resigned or []), [seat, self.game.ply]]
        self.seats[seat].stand_in_at = self.seats[seat].stand_in_at or self.now

    @property
    def end(self) -> End | None:
        """How the game has ended by now; None: it goes on."""
        if not self._dealt:
            return None
        game, resigned = self.game, [seat for seat, _ in self.row.resigned or []]
        ending = game.ending and str(game.ending)
        if resigned and ending is None and self._nobody_plays_on(resigned):
            ending = resigning.ENDING
        if ending is None:
            return None
        return End(ending, engine.final_places(game, resigned) if resigned else game.places)

    def _nobody_plays_on(self, resigned: Sequence[int]) -> bool:
        """Whether no person, or only one seat that has not resigned, is left in the game."""
        left = resigning.left(self.game, resigned)
        return len(left) < 2 or all(self.seats[seat].agent_ref for seat in left)

    def is_postponed(self) -> bool:
        """Whether the row's deadline has passed, but a holiday has moved it since."""
        at = self.row.deadline_at
        return self.row.state == Game.State.PLAYING and at is not None and at < self.now

    def story(self) -> Story:
        """Who has resigned by now, and how the game ended if it was by that."""
        end = self.end
        known = story_of(self.row)
        if end is None or not known.resigned:
            return known
        return known._replace(ending=end.ending, places=end.places, ply=self.game.ply)

    def take(self, seat: int, action: str, by: By, spent_ms: int | None = None) -> None:
        """Carry out a canonical action, or let it wait while others still have to answer.

        `spent_ms` is what whoever asked the seat has measured; None counts by the row's clock.
        """
        if spent_ms is None:
            at_ms = clocks.ms_since(self._started, self.now)
            spent_ms = at_ms - clocks.ms_since(self._started, self.row.turn_at or self._started)
        if not replays.is_sealed(self.game):
            self._push(seat, action, by, spent_ms)
            self.row.turn_at = self.now
            return
        self.pending[str(seat)] = {
            "move_number": self.game.move_number(seat),
            "action": action,
            "by": by,
            "spent_ms": spent_ms,
        }
        if not self.open_seats():
            self._push_waiting()

    def write(self) -> Progress:
        """Store what was taken; the caller's transaction holds the lock."""
        write([self._change()])
        if not self.plies:
            return Progress()
        replays.keep(self.row.id, self.game)
        return self.progress()

    def progress(self) -> Progress:
        """What the state after the commit asks others to do."""
        if self.end is not None:
            return Progress(over=(self.row.id,))
        letters = (self.row.id,) if self.row.move_days is not None else ()
        return Progress(turns=(self.row.id,) if self._agents() else (), letters=letters)

    def deadline(self) -> datetime | None:
        """When the next person's time is up: what the sweep waits for."""
        times = [self._deadline_ms(seat) for seat in self._people()]
        return clocks.moment(self._started, min(times)) if times else None

    def asked_people(self) -> list[int]:
        """Seats of people who are to act."""
        return self._people()

    def deadline_of(self, seat: int) -> datetime:
        """When a seat's time is up."""
        return clocks.moment(self._started, self._deadline_ms(seat))

    def last_actor(self) -> int | None:
        """Whose action was the last one."""
        told = engine.recent_events(self.game, None)
        return told[0].get("seat") if self.game.ply else None

    def agents_due(self) -> bool:
        """Whether somebody who is no person is to act."""
        return bool(self._agents())

    @property
    def _started(self) -> datetime:
        assert self.row.started_at is not None
        return self.row.started_at

    def _push_waiting(self) -> None:
        waiting, self.pending = self.pending, {}
        for seat in self.game.answer_order():
            if self.end is not None:
                break  # the cap on plies came before this answer, or nobody is left to play on
            answer = waiting[str(seat)]
            by, spent_ms = By(answer["by"]), answer["spent_ms"]
            self._push(seat, answer["action"], by, spent_ms)
        self.row.turn_at = self.now

    def _push(self, seat: int, action: str, by: By, spent_ms: int) -> None:
        # When it was played, not when a sealed answer came in: times rise from action to action,
        # also where the clock was set back, and tell nothing of who was quick.
        at_ms = self._last_ms = max(clocks.ms_since(self._started, self.now), self._last_ms)
        code = engine.encode_action(self.game, seat, action)
        self.game.play(seat, action)
        salt = engine.salt(bytes(self.row.deck.server_seed), self.game.ply)
        self.head = engine.next_link(self.head, salt, seat, action, at_ms)
        self.links[seat] = self.head
        self.plies.append(Ply(seat, code, by, at_ms))
        self._spend(seat, by, spent_ms)

    def _spend(self, seat: int, by: By, spent_ms: int) -> None:
        """Take a decision off the seat's bank; a machine's default counts as a fault, and in a
        competition everybody's: nobody keeps a table waiting for long."""
        row = self.seats[seat]
        bank = clocks.bank_after(row.bank_ms, spent_ms, self.row.move_ms)
        counts = row.agent_ref != "" or self.row.competition_ref is not None
        faults = row.faults + (by is By.DEFAULT and counts)
        stand_in = row.stand_in_at is not None or faults >= clocks.FAULT_LIMIT
        if (bank, faults) != (row.bank_ms, row.faults):
            row.bank_ms, row.faults = bank, faults
            if stand_in and row.stand_in_at is None:
                row.stand_in_at = self.now
            self._changed[seat] = SeatClock(seat, bank, faults, stand_in)

    def _change(self) -> Change:
        return Change(
            game_id=self.row.id,
            seen_ply=self.row.ply,
            plies=self.plies,
            head=self.head,
            game=self.game,
            clocks=list(self._changed.values()),
            pending=self.pending,
            deadline_at=self.deadline(),
            turn_at=self.row.turn_at,
            due=self.agents_due(),
            resigned=self.end if self.row.resigned else None,
            time_bytes=clocks.time_bytes(self.row),
        )

    def _deadline_ms(self, seat: int) -> int:
        row = self.seats[seat]
        return clocks.deadline_ms(self.row, row, self._away.get(row.player_id or 0, ()))

    def _people(self) -> list[int]:
        return [seat for seat in self.open_seats() if not clocks.by_machine(self.seats[seat])]

    def _agents(self) -> list[int]:
        return [seat for seat in self.open_seats() if clocks.by_machine(self.seats[seat])]


_GAME, _RULES, _DECK = Columns(Game, "g"), Columns(RulesCard, "r"), Columns(Deck, "d")
_SEAT = Columns(Seat, "s")

# The seats are read by a statement of their own, so that it sees what was committed while the
# first one waited for the lock; of all that the first reads only the locked row is read anew.
_LOCK = f"""
    SELECT {_GAME.sql}, {_RULES.sql}, {_DECK.sql}
    FROM games_game g
    JOIN games_rulescard r ON r.id = g.rules_id
    JOIN games_deck d ON d.id = g.deck_id
    WHERE g.id = %s FOR UPDATE OF g;
    SELECT {_SEAT.sql}, clock_timestamp() FROM games_seat s WHERE s.game_id = %s ORDER BY s.index
"""  # noqa: S608 - names of columns


def lock(game_id: UUID) -> Locked:
    """Lock a game's row and read it; the clock is read after the lock was won.

    Two statements, sent together. Raises `GameNotFoundError`.
    """
    found, sitting = fetch(_LOCK, [game_id, game_id])
    if not found:
        raise GameNotFoundError("There is no such game.")
    values = iter(found[0])
    row = _GAME.read(values)
    row.rules, row.deck = _RULES.read(values), _DECK.read(values)
    if row.started_at is not None and row.deck.deal_seed is None:
        # Its deck was dealt while we waited.
        row.deck.refresh_from_db()
    seats = [_SEAT.read(iter(one)) for one in sitting]
    return Locked(row, seats, sitting[0][-1] if sitting else clock.now(), away_of(row, seats))
