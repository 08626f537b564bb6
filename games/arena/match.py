"""One game of the arena: every seat told of it, asked with its own view, and told how it ended."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from games.arena.called import CalledBot
from games.arena.seating import Contest, Seating, deck_of
from games.arena.seats import House, Player, Remote, Tally
from games.arena.stdio import StdioBot
from games.engine import Game, Phase
from games.engine.record import Record
from games.players import Seen


@dataclass(frozen=True)
class Played:
    """A game that is over."""

    seating: Seating
    places: tuple[tuple[int, ...], ...]
    ending: str
    plies: int
    tallies: tuple[Tally, ...]
    record: dict[str, Any]


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


def play(contest: Contest, seating: Seating, bots: Bots) -> Played:
    """Play one game."""
    game = Game(contest.rules, contest.players, seating.dealer, deck_of(contest, seating))
    game.story = []
    tallies = tuple(Tally() for _ in range(contest.players))
    players = list(_players(contest, seating, bots))
    for player in players:
        player.begin()
    entries = _drive(game, players, tallies)
    for player in players:
        player.end(game)
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
    for seat, entrant in enumerate(seating.entrants):
        bot = bots.start(entrant, sitting[entrant])
        sitting[entrant] += 1
        if bot is None:
            yield House(contest.entrants[entrant].agent(), seating.secret)
        else:
            yield Remote(bot, contest, seating, seat)


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
