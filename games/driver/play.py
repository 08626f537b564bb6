"""Playing one driven game: ask, judge, commit, until it is over or the slice ends.

Reads as the rules of the service do; who answers is the agents', what is stored the service's.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial

from games.agents import Agents, GameEnd, GameStart
from games.driver.commits import DatabaseThread, Grouped
from games.driver.live import Decision, Live
from games.driver.loading import Claimed
from games.services.dealing import Dealing
from games.services.moves import DrivenMove

Places = tuple[tuple[int, ...], ...]


class Lost(Exception):  # noqa: N818 - no error: somebody else plays on
    """The lease or the ply is somebody else's now: leave the game to them."""


@dataclass
class Stage:
    """What the games of one slice share; `stopping` asks them to end at their next commit."""

    agents: Agents
    commits: Grouped[DrivenMove, bool]
    dealings: Grouped[Dealing, Live | None]
    database: DatabaseThread
    stopping: asyncio.Event = field(default_factory=asyncio.Event)


async def play(stage: Stage, claimed: Claimed) -> Places | None:
    """Play until the end; the finishing order, None if the slice ended first.

    Raises `Lost` when the row went to another owner, and what the database raised.
    """
    await asyncio.gather(*(stage.agents[seat.plays].wake() for seat in claimed.seats))
    live = claimed.live or await _deal(stage, claimed)
    while live.game.ending is None:
        if stage.stopping.is_set():
            return None
        await _step(stage, live)
    return live.game.places


async def tell_end(stage: Stage, claimed: Claimed, places: Places) -> None:
    """Tell every seat how it ended; nothing depends on who hears it."""
    await asyncio.gather(
        *(
            stage.agents[seat.agent_ref].end(GameEnd(claimed.game_id, seat.index, places))
            for seat in claimed.seats
            if seat.agent_ref
        )
    )


async def _deal(stage: Stage, claimed: Claimed) -> Live:
    """Close the deck's entropy with what the seats give, and deal: before that no card exists."""
    entropies = await asyncio.gather(*(_start(stage, claimed, s.index) for s in claimed.seats))
    given = dict(enumerate(entropies))
    live = await stage.dealings.put(Dealing(claimed.game_id, claimed.owner, claimed.fence, given))
    if live is None:
        raise Lost
    return live


async def _start(stage: Stage, claimed: Claimed, seat: int) -> str:
    start = GameStart(
        game_id=claimed.game_id,
        rules=claimed.rules,
        players=len(claimed.seats),
        dealer=claimed.dealer,
        seat=seat,
        commitment=claimed.commitment,
        competition=claimed.competition,
    )
    return await stage.agents[claimed.seats[seat].plays].start(start)


async def _step(stage: Stage, live: Live) -> None:
    """One commit: the turn's action, or all sealed answers together; none if one is left open."""
    seats = live.game.to_act()
    if len(seats) == 1:
        asked = [await decide(stage, live, seats[0])]
    else:
        asked = await asyncio.gather(*(decide(stage, live, seat) for seat in seats))
    decisions = [decision for decision in asked if decision is not None]
    if len(decisions) < len(asked):
        return
    move = live.push(decisions)
    faulty = [decision for decision in decisions if decision.fault is not None]
    if faulty:
        move = move._replace(also=partial(write_faults, stage, live, faulty))
    if not await stage.commits.put(move):
        raise Lost


async def decide(stage: Stage, live: Live, seat: int) -> Decision | None:
    """Ask whoever plays `seat`; waking it first is on nobody's clock.

    None if the slice ends while a question stands that outlives it.
    """
    agent = stage.agents[live.seats[seat].plays]
    await agent.wake()
    turn = live.turn(seat)
    while (answer := await agent.choose(turn)) is None:
        if stage.stopping.is_set():
            return None
    return live.judge(turn, answer)


def write_faults(stage: Stage, live: Live, faulty: list[Decision]) -> None:
    """Store the faults with their evidence, inside the transaction of the moves."""
    for decision in faulty:
        assert decision.fault is not None
        agent = stage.agents[live.seats[decision.turn.seat].agent_ref]
        agent.write_fault(decision.turn, decision.fault)
