"""Who plays a seat: the protocol, what is asked, and the house bots behind it.

Knows no transport. Which class plays which prefix of `Seat.agent_ref` stands in
`settings.SEAT_AGENTS`, so that this layer never imports a remote bot.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from django.conf import settings
from django.utils.module_loading import import_string

from config.kit.hub import Hub
from games.engine import EventDict, Rules, View
from games.players import HOUSE

STAND_IN = "house:lowest"


class GameStart(NamedTuple):
    """A game that is about to be dealt, as one seat is told of it."""

    game_id: UUID
    rules: Rules
    players: int
    dealer: int
    seat: int
    commitment: bytes
    competition: str | None


class Turn(NamedTuple):
    """One decision put to one seat. `wire` is what leaves the process: the one view function's."""

    game_id: UUID
    rules: Rules
    players: int
    dealer: int
    competition: str | None
    seat: int
    move_number: int
    wire: dict[str, Any]
    legal: list[str]
    deadline_ms: int
    bank_ms: int
    faults: int
    view: View
    events: Sequence[EventDict]
    seed: bytes


class GameEnd(NamedTuple):
    """How a game ended, as one seat is told of it. `voided`: called off, without places."""

    game_id: UUID
    seat: int
    places: tuple[tuple[int, ...], ...]
    voided: bool = False


class Fault(NamedTuple):
    """Why there is no usable answer (bots.md, "Clocks and faults") and the proof of it."""

    kind: str
    evidence: dict[str, Any]


class Answer(NamedTuple):
    """What a seat chose, or why not; `spent_ms` counts on its clock, `took_ms` is with the time
    that is given for the way (None: the same).

    `evidence` tells how a readable answer came, in case the rules refuse what it says.
    """

    action: str | None
    spent_ms: int = 0
    fault: Fault | None = None
    note: str = ""
    evidence: Callable[[], Mapping[str, Any]] = dict
    took_ms: int | None = None


class Host(NamedTuple):
    """What the driver's loop lends its agents: HTTP session, database thread, news by NOTIFY."""

    session: Any
    run_db: Callable[..., Awaitable[Any]]
    hub: Hub


class SeatAgent(Protocol):
    """Something that plays seats. One object serves all seats of its ref in a process."""

    async def wake(self) -> None:
        """Make sure that it can hear, off every clock; returns although it can't."""

    async def start(self, start: GameStart) -> str:
        """Tell it of a game; its entropy for the deck, "" for none."""

    async def choose(self, turn: Turn) -> Answer | None:
        """Ask for one decision. Never raises for what the other side did.

        None: the question stands, somewhere that outlives this process, and has no answer yet;
        ask again with the same turn, here or later, and it goes on as if it had been waited for.
        """

    async def end(self, end: GameEnd) -> None:
        """Tell it how a game ended; a failure is of no consequence."""

    def write_fault(self, turn: Turn, fault: Fault) -> None:
        """Store the fault, in the transaction that commits the default action."""


class HouseAgent:
    """A built-in bot: chooses in this process from the view and the decision's seed alone."""

    def __init__(self, ref: str, host: Host) -> None:
        self._agent = HOUSE[ref.partition(":")[2]]

    async def wake(self) -> None:
        """Nothing to wake."""

    async def start(self, start: GameStart) -> str:
        """House bots give no entropy: the server could choose it."""
        return ""

    async def choose(self, turn: Turn) -> Answer:
        """Choose at once; takes no time on any clock."""
        return Answer(self._agent.choose(turn.view, turn.events, turn.seed))

    async def end(self, end: GameEnd) -> None:
        """Nothing to tell."""

    def write_fault(self, turn: Turn, fault: Fault) -> None:
        """A house bot that fails is our bug: say so loudly instead of storing a fault."""
        raise RuntimeError(f"house bot failed: {fault.kind} {fault.evidence}")


class Agents:
    """The agents of one process, one for each ref, made when first asked for."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._agents: dict[str, SeatAgent] = {}

    def __getitem__(self, ref: str) -> SeatAgent:
        """The agent of `ref`; raises `KeyError` for a prefix that the settings don't know."""
        if ref not in self._agents:
            make = import_string(settings.SEAT_AGENTS[ref.partition(":")[0]])
            self._agents[ref] = make(ref, self._host)
        return self._agents[ref]
