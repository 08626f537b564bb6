"""The bot behind `Seat.agent_ref` "bot:17", by the transport that it has at the moment.

A bot may change its transport and stays the same bot; what differs is in the two agents below.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from bots_api import queries
from bots_api.agents.frozen import Frozen
from bots_api.agents.pull import PullAgent
from bots_api.agents.tempo import Tempo
from bots_api.agents.webhook import WebhookAgent
from bots_api.lines.edits import edits_of
from bots_api.models import Fault as FaultRow
from bots_api.services import heard, pull
from bots_api.services.heard import AskedTurn
from games.agents import Answer, Fault, GameEnd, GameStart, Host, Turn

LOST: Final = (FaultRow.Kind.CONNECT, FaultRow.Kind.TLS)


class BotAgent:
    """One object for all seats of a bot in a process."""

    def __init__(self, ref: str, host: Host) -> None:
        self.bot_id = int(ref.partition(":")[2])
        self._host = host
        self._webhook: WebhookAgent | None = None
        self._pull: PullAgent | None = None
        self._pulls = False
        self._frozen = Frozen(self.bot_id, host.run_db)
        self._tempo = Tempo(self.bot_id, host.run_db)
        self._edits = edits_of(host.session, host.hub)
        # The count of changes when its transport was read.
        self._read = -1
        # Games in which it was lost because it had moved.
        self._moved: set[UUID] = set()

    async def wake(self) -> None:
        """Make sure that it can hear; off every clock, no fault."""
        await (await self._agent()).wake()

    async def start(self, start: GameStart) -> str:
        """Tell it of a game; its entropy, "" if it gives none or does not answer."""
        return await (await self._agent()).start(start)

    async def choose(self, turn: Turn) -> Answer | None:
        """Ask for one decision, unless another version than the one that entered would answer."""
        self._tempo.taken(turn.game_id, turn.seat)
        await self._tempo.store()
        changed = await self._changed(turn)
        if changed is not None:
            return Answer(None, fault=changed)
        answer = await (await self._agent_for(turn)).choose(turn)
        if answer is not None and await self._went_away(turn, answer):
            return None
        if answer is None:
            # It may be another one that comes back.
            self._frozen.forget()
        else:
            self._tempo.answered(turn, answer)
        return answer

    async def end(self, end: GameEnd) -> None:
        """Tell it how a game ended."""
        self._moved.discard(end.game_id)
        self._tempo.taken(end.game_id, end.seat)
        await self._tempo.store(now=True)
        await (await self._agent()).end(end)

    def write_fault(self, turn: Turn, fault: Fault) -> None:
        """Store the fault, in the transaction that commits the default action."""
        self._tempo.refused(turn)
        heard.fault(self.bot_id, AskedTurn.of(turn), FaultRow.Kind(fault.kind), fault.evidence)

    async def _changed(self, turn: Turn) -> Fault | None:
        """The fault of being another version, by what the bot says now: it may have come back
        as the right one. Of one that says nothing the turn itself tells more."""
        if await self._frozen.fault(turn) is None:
            return None
        says = await (await self._agent()).greet()
        self._frozen.forget()
        return await self._frozen.fault(turn) if says else None

    async def _went_away(self, turn: Turn, answer: Answer) -> bool:
        """Whether it is gone from there because it connects out by now: once per game it is asked
        afresh, the new way."""
        lost = answer.fault is not None and answer.fault.kind in LOST
        if not lost or self._pulls or turn.game_id in self._moved:
            return False
        if not isinstance(await self._agent(), PullAgent):
            return False
        self._moved.add(turn.game_id)
        return True

    async def _agent_for(self, turn: Turn) -> WebhookAgent | PullAgent:
        """A question that lies in the mailbox stands there, on its clock, whatever is changed."""
        agent, before = await self._agent(), self._pull
        if before is None or agent is before:
            return agent
        stands = await self._host.run_db(pull.stands, AskedTurn.of(turn))
        return before if stands else agent

    async def _agent(self) -> WebhookAgent | PullAgent:
        if self._edits.count != self._read:
            self._read = self._edits.count
            if self._webhook is not None:
                self._webhook.forget()
            self._pulls = (await self._host.run_db(queries.way, self.bot_id)).pulls
        if self._pulls:
            self._pull = self._pull or PullAgent(self.bot_id, self._host)
            return self._pull
        self._webhook = self._webhook or WebhookAgent(self.bot_id, self._host)
        return self._webhook
