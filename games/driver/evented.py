"""Agents at a table of people: ask the ones that are to act, once, and commit like anybody.

The task's short lease says who may ask; the move number says whose action counts.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from uuid import UUID

from config.kit import leases
from games.driver.keeping import renewing
from games.driver.live import Decision, Live
from games.driver.loading import claim_evented, evented
from games.driver.play import Stage, decide, write_faults
from games.services.moves import How, act_seat
from games.services.progress import Progress


async def answer(stage: Stage, game_id: UUID) -> Progress:
    """Ask every agent that is to act in this game; returns what their moves brought about."""
    owner = leases.new_owner()
    # A question that outlives this task is not waited for long: the sweep asks again.
    stage = replace(stage, stopping=asyncio.Event())
    stage.stopping.set()
    claimed = await stage.database.run(claim_evented, game_id, owner)
    if claimed is None:
        return Progress()
    async with renewing(stage.database, evented(), owner, [game_id]):
        progress = await _answer(stage, claimed.live) if claimed.live else Progress()
    # After a failure the lease runs out instead, so that it counts as an attempt.
    await stage.database.run(leases.release, evented(), owner, [game_id])
    return progress


async def _answer(stage: Stage, live: Live) -> Progress:
    due = [s for s in live.game.to_act() if live.seats[s].plays and s not in live.waiting]
    progress = Progress()
    for decision in await asyncio.gather(*(decide(stage, live, seat) for seat in due)):
        if decision is not None:
            progress += await stage.database.run(_commit, stage, live, decision)
    return progress


def _commit(stage: Stage, live: Live, decision: Decision) -> Progress:
    turn, also = decision.turn, None
    if decision.fault is not None:
        also = partial(write_faults, stage, live, [decision])
    how = How(decision.by, decision.spent_ms, also)
    return act_seat(live.game_id, turn.seat, turn.move_number, decision.action, how).progress
