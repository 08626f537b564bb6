"""One game of the arena: every seat asked with its own view, faults answered by default actions."""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from games.arena.called import CalledBot
from games.arena.seating import Contest, Seating, deck_of
from games.arena.stdio import PROTOCOL, Said, StdioBot
from games.engine import Game, IllegalAction, Phase, view
from games.engine.record import Record
from games.players import HOUSE, Agent, Seen, decision_seed

FAULT_LIMIT: Final = 3
"""Faults in one game after which the stand-in takes the seat (bots.md)."""
_STAND_IN: Final = HOUSE["lowest"]


@dataclass
class Tally:
    """What asking one seat cost: times and faults, in a game that is over."""

    spent_ms: list[float] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    evidence: str = ""
    """The first fault in words."""


@dataclass(frozen=True)
class Played:
    """A game that is over."""

    seating: Seating
    places: tuple[tuple[int, ...], ...]
    ending: str
    plies: int
    tallies: tuple[Tally, ...]
    record: dict[str, Any]


class Player(Protocol):
    """Whoever holds a seat in one game."""

    def choose(self, game: Game, seat: int, seen: Seen, tally: Tally) -> str:
        """An action for `seat`; what it took to get it is counted in `tally`."""
        ...


class Bots:
    """The running programs of one worker: kept from game to game, or afresh for each game. Who has
    ended is started again for the next game."""

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self._running: dict[tuple[int, int], StdioBot | CalledBot] = {}

    def start(self, entrant: int, copy: int) -> StdioBot | CalledBot | None:
        """The program of an entrant that sits here the `copy`-th time; None for a house bot."""
        command, url = self._contest.entrants[entrant].command, self._contest.entrants[entrant].url
        if command is None and url is None:
            return None
        key = entrant, copy
        if key in self._running and self._running[key].ended:
            self._running.pop(key).close()
        if key not in self._running:
            self._running[key] = CalledBot(url) if url else StdioBot(command or [])
        return self._running[key]

    def end_game(self) -> None:
        """Forget what they could remember, where one deck comes back."""
        if self._contest.duplicate:
            self.close()

    def close(self) -> None:
        """End all programs."""
        with ExitStack() as stack:
            for bot in self._running.values():
                stack.callback(bot.close)
            self._running = {}


class _House:
    def __init__(self, agent: Agent, secret: bytes) -> None:
        self._agent, self._secret = agent, secret

    def choose(self, game: Game, seat: int, seen: Seen, tally: Tally) -> str:
        began = time.perf_counter()
        seed = decision_seed(self._secret, seat, game.move_number(seat))
        action = self._agent.choose(view(game, seat), seen, seed)
        tally.spent_ms.append((time.perf_counter() - began) * 1000)
        return action


class _Remote:
    """A program or a URL on its clock; after too many faults the stand-in plays on."""

    def __init__(
        self, bot: StdioBot | CalledBot, contest: Contest, name: str, secret: bytes
    ) -> None:
        self._bot, self._contest, self._name = bot, contest, name
        self._stand_in = _House(_STAND_IN, secret)
        self._bank_ms = float(contest.bank_ms)
        self._seen = 0
        self._last_rtt: int | None = None

    def choose(self, game: Game, seat: int, seen: Seen, tally: Tally) -> str:
        if tally.faults.total() >= FAULT_LIMIT:
            return self._stand_in.choose(game, seat, seen, Tally())
        message = self._turn(game, seat, seen, tally)
        self._seen = len(seen)
        said = self._bot.ask(message, self._contest.move_ms + self._bank_ms)
        self._bank_ms = max(0.0, self._bank_ms - max(0.0, said.spent_ms - self._contest.move_ms))
        tally.spent_ms.append(said.spent_ms)
        self._last_rtt = round(said.spent_ms)
        return self._judged(game, seat, said, tally)

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
        contest, shown = self._contest, view(game, seat)
        rules = {
            "preset": contest.preset,
            "options": dict(contest.options),
            "hash": contest.rules.hash,
        }
        return {
            "type": "turn",
            "protocol": PROTOCOL,
            "request_id": f"{self._name}/{seat}/{game.move_number(seat)}",
            "game": {
                "id": self._name,
                "rules": rules,
                "players": game.players,
                "dealer": game.dealer,
                "competition": None,
            },
            "seat": seat,
            "move_number": game.move_number(seat),
            "view": {**shown.wire(), "events": seen[self._seen :]},
            "legal": game.legal(seat),
            "deadline_ms": contest.move_ms,
            "bank_ms": round(self._bank_ms),
            "last_rtt_ms": self._last_rtt,
            "faults": tally.faults.total(),
        }


def play(contest: Contest, seating: Seating, bots: Bots) -> Played:
    """Play one game."""
    game = Game(contest.rules, contest.players, seating.dealer, deck_of(contest, seating))
    game.story = []
    tallies = tuple(Tally() for _ in range(contest.players))
    entries = _drive(game, list(_players(contest, seating, bots)), tallies)
    bots.end_game()
    assert game.ending is not None
    return Played(
        seating,
        game.places,
        game.ending.value,
        game.ply,
        tallies,
        _record(contest, seating, game, entries, tallies),
    )


def _players(contest: Contest, seating: Seating, bots: Bots) -> Iterator[Player]:
    sitting: Counter[int] = Counter()
    name = f"{seating.block}.{seating.rotation}"
    for entrant in seating.entrants:
        bot = bots.start(entrant, sitting[entrant])
        sitting[entrant] += 1
        if bot is None:
            yield _House(contest.entrants[entrant].agent(), seating.secret)
        else:
            yield _Remote(bot, contest, name, seating.secret)


def _drive(game: Game, players: Sequence[Player], tallies: Sequence[Tally]) -> list[str]:
    """Ask and push to the end; who answers unseen is asked before any answer is pushed."""
    seen = [Seen(game, seat) for seat in range(game.players)]
    entries: list[str] = []
    while game.phase is not Phase.OVER:
        phase, asked = game.phase, game.answer_order()
        said = [players[seat].choose(game, seat, seen[seat], tallies[seat]) for seat in asked]
        for seat, action in zip(asked, said, strict=True):
            if game.phase is phase:  # the first challenge may have closed the window
                entries.append(f"{seat} {game.check(seat, action)}")
                game.play(seat, action)
    return entries


def _record(
    contest: Contest,
    seating: Seating,
    game: Game,
    entries: Sequence[str],
    tallies: Sequence[Tally],
) -> dict[str, Any]:
    assert game.ending is not None
    tags = {
        "event": "arena",
        "seed": contest.seed,
        "block": seating.block,
        "rotation": seating.rotation,
        "names": [contest.entrants[entrant].name for entrant in seating.entrants],
        "places": [list(group) for group in game.places],
        "ending": game.ending.value,
        "faults": [dict(tally.faults) for tally in tallies],
    }
    return Record(
        preset=contest.preset,
        players=game.players,
        dealer=game.dealer,
        deck=game.deck,
        actions=tuple(entries),
        options=dict(contest.options),
        deal_seed=seating.deal_seed,
        tags=tags,
    ).to_json()
