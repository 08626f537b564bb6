"""Who holds a seat in one game of the arena: a house bot, or a program or URL on its clock.

Asks and judges as the service does; what is asked has the shape of docs/bots-reference.md.
"""

import hashlib
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from games.arena.called import CalledBot
from games.arena.seating import Contest, Seating
from games.arena.stdio import PROTOCOL, Said, StdioBot
from games.engine import Game, IllegalAction, view
from games.players import HOUSE, Agent, Seen, decision_seed

FAULT_LIMIT: Final = 3
"""Faults in one game after which the stand-in takes the seat (bots.md)."""
_STAND_IN: Final = HOUSE["lowest"]
_NEWS_MS: Final = 3000
"""So long a bot may think over news, and no longer than over a turn; what it says of them changes
nothing here."""


@dataclass
class Tally:
    """What asking one seat cost: times and faults, in a game that is over."""

    spent_ms: list[float] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    evidence: str = ""
    """The first fault in words."""


class Player(Protocol):
    """Whoever holds a seat in one game."""

    def choose(self, game: Game, seat: int, seen: Seen, tally: Tally) -> str:
        """An action for `seat`; what it took to get it is counted in `tally`."""
        ...

    def begin(self) -> None:
        """Tell it of the game, before the deal."""
        ...

    def end(self, game: Game) -> None:
        """Tell it how the game ended."""
        ...


class House:
    """A built-in bot."""

    def __init__(self, agent: Agent, secret: bytes) -> None:
        self._agent, self._secret = agent, secret

    def choose(self, game: Game, seat: int, seen: Seen, tally: Tally) -> str:
        """Choose in this process, from the view and the decision's seed alone."""
        began = time.perf_counter()
        seed = decision_seed(self._secret, seat, game.move_number(seat))
        action = self._agent.choose(view(game, seat), seen, seed)
        tally.spent_ms.append((time.perf_counter() - began) * 1000)
        return action

    def begin(self) -> None:
        """Nothing to tell."""

    def end(self, game: Game) -> None:
        """Nothing to tell."""


class Remote:
    """A program or a URL on its clock; after too many faults the stand-in plays on."""

    def __init__(
        self, bot: StdioBot | CalledBot, contest: Contest, seating: Seating, seat: int
    ) -> None:
        self._bot, self._contest, self._seating, self._seat = bot, contest, seating, seat
        self._name = f"{seating.block}.{seating.rotation}"
        self._stand_in = House(_STAND_IN, seating.secret)
        self._bank_ms = float(contest.bank_ms)
        self._seen = 0
        self._last_rtt: int | None = None

    def choose(self, game: Game, seat: int, seen: Seen, tally: Tally) -> str:
        """Ask, on the clock; what is no legal action is a fault and a default action."""
        if tally.faults.total() >= FAULT_LIMIT:
            return self._stand_in.choose(game, seat, seen, Tally())
        message = self._turn(game, seat, seen, tally)
        self._seen = len(seen)
        said = self._bot.ask(message, self._contest.move_ms + self._bank_ms)
        self._bank_ms = max(0.0, self._bank_ms - max(0.0, said.spent_ms - self._contest.move_ms))
        tally.spent_ms.append(said.spent_ms)
        self._last_rtt = round(said.spent_ms)
        return self._judged(game, seat, said, tally)

    def begin(self) -> None:
        """With the commitment of the deal; here the seed alone makes the deck, so that a contest
        can be played again, and no entropy is read."""
        commitment = hashlib.sha256(self._seating.deal_seed).hexdigest()
        self._tell("game_start", game=self._game(), commitment=commitment)

    def end(self, game: Game) -> None:
        """The finishing order, shared places together."""
        places = [list(group) for group in game.places]
        self._tell("game_end", game={"id": self._name}, places=places, reason="over")

    def _tell(self, kind: str, **members: object) -> None:
        news = {
            "type": kind,
            "protocol": PROTOCOL,
            "request_id": f"{self._name}/{self._seat}/{kind}",
            "seat": self._seat,
            **members,
        }
        self._bot.ask(news, min(_NEWS_MS, self._contest.move_ms + self._contest.bank_ms))

    def _judged(self, game: Game, seat: int, said: Said, tally: Tally) -> str:
        action, fault = (said.reply or {}).get("action"), said.fault
        if fault is None and not isinstance(action, str):
            fault = "bad_reply"
        if fault is None:
            try:
                return game.check(seat, str(action))
            except IllegalAction as error:
                fault = f"illegal_action:{error.code}"
        tally.faults[fault] += 1
        tally.evidence = tally.evidence or (
            f"{fault} in game {self._name}, seat {seat}, move {game.move_number(seat)}, after "
            f"{said.spent_ms:.0f} ms; it said {repr(said.words) if said.words else 'nothing'}"
        )
        return game.default_action(seat)

    def _turn(self, game: Game, seat: int, seen: Seen, tally: Tally) -> dict[str, Any]:
        return {
            "type": "turn",
            "protocol": PROTOCOL,
            "request_id": f"{self._name}/{seat}/{game.move_number(seat)}",
            "game": self._game(),
            "seat": seat,
            "move_number": game.move_number(seat),
            "view": {**view(game, seat).wire(), "events": seen[self._seen :]},
            "legal": game.legal(seat),
            "deadline_ms": self._contest.move_ms,
            "bank_ms": round(self._bank_ms),
            "last_rtt_ms": self._last_rtt,
            "faults": tally.faults.total(),
        }

    def _game(self) -> Mapping[str, object]:
        contest = self._contest
        rules = {
            "preset": contest.preset,
            "options": dict(contest.options),
            "hash": contest.rules.hash,
        }
        return {
            "id": self._name,
            "rules": rules,
            "players": contest.players,
            "dealer": self._seating.dealer,
            "competition": None,
        }
