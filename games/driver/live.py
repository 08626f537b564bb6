"""A driven game in this process's memory: the replayed engine game and its seats' clocks.

Owns what a decision adds to it; refuses to talk to agents or to the database.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

from games.agents import STAND_IN, Answer, Fault, Turn
from games.engine import (
    Game,
    History,
    IllegalAction,
    Rules,
    next_link,
    salt,
    view,
)
from games.engine.codec import encode
from games.models import By
from games.players import decision_seed
from games.queries import clocks, wire_view
from games.services.moves import DrivenMove
from games.services.plies import Ply, SeatClock


@dataclass
class LiveSeat:
    """One seat's agent, clock and faults; mirrors the row of `Seat`."""

    index: int
    agent_ref: str
    bank_ms: int
    faults: int
    stand_in: bool

    @property
    def plays(self) -> str:
        """The ref of who decides for this seat now."""
        return STAND_IN if self.stand_in else self.agent_ref


class Decision(NamedTuple):
    """What a seat does, whoever decided it, in canonical form."""

    turn: Turn
    action: str
    by: By
    spent_ms: int
    fault: Fault | None
    # What to push for it, as long as nobody else has acted; None where nobody was asked.
    code: int | None = None


@dataclass
class Live:
    """One claimed game that has been dealt; `game` moves on with every commit."""

    game_id: UUID
    owner: str
    fence: int
    rules: Rules
    competition: str | None
    server_seed: bytes
    head: bytes
    move_ms: int
    seats: list[LiveSeat]
    game: Game
    # Since the game began, by the database's clock, when it was loaded.
    elapsed_ms: int
    # Seats whose answers wait in the row for the others (tables of people only).
    waiting: frozenset[int] = frozenset()
    loaded_at: float = field(default_factory=time.monotonic)

    def now_ms(self) -> int:
        """Milliseconds since the game began, by this process's steady clock."""
        return self.elapsed_ms + int((time.monotonic() - self.loaded_at) * 1000)

    def turn(self, seat: int) -> Turn:
        """The decision that `seat` has to take now."""
        game, clock = self.game, self.seats[seat]
        number, seen = game.move_number(seat), view(game, seat)
        return Turn(
            game_id=self.game_id,
            rules=self.rules,
            players=game.players,
            dealer=game.dealer,
            competition=self.competition,
            seat=seat,
            move_number=number,
            wire=wire_view(game, seat, seen),
            legal=game.legal(seat),
            deadline_ms=self.move_ms,
            bank_ms=clock.bank_ms,
            faults=clock.faults,
            view=seen,
            events=History(game, seat),
            seed=decision_seed(self.server_seed, seat, number),
        )

    def judge(self, turn: Turn, answer: Answer) -> Decision:
        """Check an answer; what is no legal action becomes the default action and a fault."""
        fault = answer.fault
        if fault is None and answer.action is not None:
            try:
                code, action = self.game.judged(turn.seat, answer.action)
            except IllegalAction as error:
                fault = Fault("illegal_action", _illegal(turn, answer, error))
            else:
                by = By.STAND_IN if self.seats[turn.seat].stand_in else By.SEAT
                return Decision(turn, action, by, answer.spent_ms, None, code)
        default = self.game.default_action(turn.seat)
        return Decision(turn, default, By.DEFAULT, answer.spent_ms, fault)

    def push(self, decisions: list[Decision]) -> DrivenMove:
        """Carry decisions out, in the engine's order of answers; what there is to commit."""
        seen = self.game.ply
        by_seat = {decision.turn.seat: decision for decision in decisions}
        plies = tuple(
            self._ply(by_seat[seat], alone=len(decisions) == 1)
            for seat in self.game.answer_order()
            # The cap on plies may end the game before the last of the answers.
            if seat in by_seat and self.game.ending is None
        )
        clocks = tuple(clock for decision in decisions if (clock := self._clock(decision)))
        return DrivenMove(
            game_id=self.game_id,
            owner=self.owner,
            fence=self.fence,
            seen_ply=seen,
            plies=plies,
            head=self.head,
            clocks=clocks,
            game=self.game,
        )

    def _ply(self, decision: Decision, *, alone: bool) -> Ply:
        seat, at_ms = decision.turn.seat, self.now_ms()
        if alone and decision.code is not None:
            self.game.push(decision.code)
        else:
            self.game.play(seat, decision.action)
        code = encode(self.game.log[-1])
        self.head = next_link(
            self.head, salt(self.server_seed, self.game.ply), seat, decision.action, at_ms
        )
        return Ply(seat=seat, code=code, by=decision.by, at_ms=at_ms)

    def _clock(self, decision: Decision) -> SeatClock | None:
        """Take the time off the bank and count a fault; None if nothing changed."""
        seat = self.seats[decision.turn.seat]
        bank_ms = clocks.bank_after(seat.bank_ms, decision.spent_ms, self.move_ms)
        if bank_ms == seat.bank_ms and decision.fault is None:
            return None
        seat.bank_ms = bank_ms
        if decision.fault is not None:
            seat.faults += 1
            seat.stand_in = seat.faults >= clocks.FAULT_LIMIT
        return SeatClock(seat.index, seat.bank_ms, seat.faults, seat.stand_in)


def _illegal(turn: Turn, answer: Answer, error: IllegalAction) -> dict[str, object]:
    return {
        **answer.evidence(),
        "code": error.code,
        "action": (answer.action or "")[:200],
        "legal": turn.legal,
    }
