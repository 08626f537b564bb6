"""How fast the engine is: random play, views, replays, every preset; clone, size, compile, import.

All rates are medians of five rounds, in each of which every side has its turn six times, so that a
busy machine slows all of them alike; a ratio is the median of the rounds' own ratios. A turn takes
some ten milliseconds: after one of two, what another process left of the caches decides. Each turn
has packs of its own; one round before warms up. The floor is the rate of calls to an empty method.
Packs are shuffled beforehand, deals are counted in. Size and clone are those of the median game.

OpenSpiel is C++ called from Python, so its row hangs on how fast the interpreter is: 2.5x leaves a
ply some 20 empty calls, of which the loop of the benchmark itself takes 4. Before comparing
machines, look whether Python was built with `--enable-optimizations`
(`sysconfig.get_config_var("CONFIG_ARGS")`).
"""

import gc
import random
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from games.engine import (
    PRESETS,
    Game,
    Record,
    Rules,
    packs_needed,
    replay,
    rules_from,
    shuffled_deck,
    view,
)
from games.engine.actions import entry_text
from games.engine.codec import encode_log, iter_actions
from games.engine.tables import tables
from tests.benchmarks import Figure
from tests.benchmarks.beside import Peers
from tests.benchmarks.sizes import size_of

SEATS = 4
DEALS = 12
FEW = 3
"""Of them as text, which takes ten times as long."""
TURNS = 6
ROUNDS = 5
TRIES = 60
BOT = f"random bot, {SEATS} seats"


@dataclass
class Course:
    """A rule set, and the round's packs with what random play made of them."""

    preset: str
    rules: Rules
    decks: Sequence[tuple[int, ...]] = ()
    games: list[Game] = field(default_factory=list)
    records: Sequence[Record] = ()

    def next(self, number: int) -> None:
        """Shuffle the packs of another round."""
        packs, _ = packs_needed(self.rules, SEATS)
        seeds = range(number * DEALS, (number + 1) * DEALS)
        jokers = self.rules.jokers
        self.decks = [shuffled_deck(seed.to_bytes(32), packs, jokers) for seed in seeds]


class Goal(NamedTuple):
    """A ratio between two sides."""

    name: str
    ours: str
    theirs: str
    least: float


GOALS = (
    Goal("random play against python-chess push", "table", "chess", 3),
    Goal("random play against RLCard uno env.run", "table", "uno", 30),
    Goal("random play against OpenSpiel crazy_eights", "table", "crazy_eights", 2.5),
    Goal("the same with a view a ply against RLCard uno", "views", "uno", 9),
    Goal("checked replay of codes against random play", "replay", "table", 1.5),
)
PEERS = ("chess", "uno", "crazy_eights")


Rates = dict[str, float]
"""Plies a second of each side."""


def measure() -> list[Figure]:
    """All figures of the engine."""
    courses = {preset: Course(preset, rules_from(preset)) for preset in PRESETS}
    gc.freeze()  # what the command has loaded is no garbage of a turn; peers.py does so too
    with Peers() as peers:
        rounds = [_round(courses, peers, number) for number in range(ROUNDS + 1)][1:]
    rates = {name: statistics.median(one[name] for one in rounds) for name in rounds[0]}
    floor = rates["floor"]
    slowest = min(PRESETS, key=rates.__getitem__)
    share = _share(rounds, slowest, "table")
    return [
        *_rate_figures(rates, peers, floor),
        *(_ratio(goal, rounds, peers, floor) for goal in GOALS),
        Figure(f"slowest preset ({slowest})", share, "x table", ">= 0.5", share >= 0.5, floor),
        *_small_figures(courses["table"]),
    ]


_NAMES = {
    "table": f"random play, table, {BOT}",
    "views": f"the same with a view a ply, {BOT}",
    "replay": "checked replay of codes",
    "records": "checked replay of records (text)",
    "chess": "python-chess push",
    "uno": "RLCard uno env.run, random agents, 2 seats",
    "crazy_eights": "OpenSpiel crazy_eights from Python, 4 seats",
}


def _rate_figures(rates: Rates, peers: Peers, floor: float) -> Iterator[Figure]:
    for side, name in _NAMES.items():
        reason = peers.missing.get(side, "")
        yield Figure(name, None if reason else rates[side], "plies/s", "", None, floor, reason)
    yield Figure("calls of an empty method a ply", floor / rates["table"], "calls", "", None)


def _ratio(goal: Goal, rounds: Sequence[Rates], peers: Peers, floor: float) -> Figure:
    text = f">= {goal.least:g}"
    if goal.theirs in peers.missing:
        return Figure(goal.name, None, "x", text, None, floor, peers.missing[goal.theirs])
    ratio = _share(rounds, goal.ours, goal.theirs)
    return Figure(goal.name, ratio, "x", text, ratio >= goal.least, floor)


def _share(rounds: Sequence[Rates], ours: str, theirs: str) -> float:
    return statistics.median(one[ours] / one[theirs] for one in rounds)


def _small_figures(table: Course) -> list[Figure]:
    games = [_after(table, game, 100) for game in table.games if len(game.log) > 100]
    bytes_held = statistics.median(map(size_of, games))
    clone_us = statistics.median(_best_us(game.clone, 300) for game in games)
    compile_ms = _best_us(lambda: tables.__wrapped__(table.rules), 20) / 1000
    import_ms = min(_import_ms() for _ in range(ROUNDS))
    return [
        Figure("state with a 100-ply log", bytes_held, "bytes", "<= 4096", bytes_held <= 4096),
        Figure("clone", clone_us, "us", "<= 1", clone_us <= 1),
        Figure("rule set compile", compile_ms, "ms", "<= 2", compile_ms <= 2),
        Figure("import games.engine", import_ms, "ms", "<= 100", import_ms <= 100),
    ]


def _round(courses: dict[str, Course], peers: Peers, number: int) -> Rates:
    plies: Counter[str] = Counter()
    seconds: dict[str, float] = {}
    for turn in range(number * TURNS, (number + 1) * TURNS):
        for course in courses.values():
            course.next(turn)
        for name, timed in (*_ours(courses), *_theirs(peers)):
            done, took = timed()
            plies[name] += done
            seconds[name] = seconds.get(name, 0.0) + took
    return {name: plies[name] / took if took else 0.0 for name, took in seconds.items()}


Timed = Callable[[], tuple[int, float]]
"""Takes a turn; says how many plies it had and how many seconds of the processor it took."""


def _ours(courses: dict[str, Course]) -> Iterator[tuple[str, Timed]]:
    table = courses["table"]
    yield "floor", partial(_timed, partial(_empty_calls, 200_000))
    for preset, course in courses.items():
        yield preset, partial(_timed, partial(_play, course))
    yield "views", partial(_timed, partial(_play_with_views, table))
    yield "replay", partial(_timed, partial(_replay, table))
    table.records = [_record(table, game) for game in table.games[:FEW]]
    yield "records", partial(_timed, partial(_replay_records, table))


def _theirs(peers: Peers) -> Iterator[tuple[str, Timed]]:
    for name in PEERS:
        yield name, partial(peers.turn, name)


def _timed(run: Callable[[], int]) -> tuple[int, float]:
    start = time.process_time()
    plies = run()
    return plies, time.process_time() - start


def _play(course: Course) -> int:
    """Random play through the public step API: legal actions, checked action, log."""
    bits = random.Random(1).getrandbits
    course.games = []
    for deck in course.decks:
        course.games.append(game := Game(course.rules, SEATS, 0, deck))
        codes, step = game.codes, game.step
        while legal := codes():
            step(legal[bits(30) % len(legal)])
    return sum(len(game.log) for game in course.games)


def _play_with_views(course: Course) -> int:
    bits, plies = random.Random(1).getrandbits, 0
    for deck in course.decks:
        game = Game(course.rules, SEATS, 0, deck)
        while legal := game.codes():
            view(game, game.turn)
            game.step(legal[bits(30) % len(legal)])
        plies += len(game.log)
    return plies


def _replay(course: Course) -> int:
    for game in course.games:
        step = Game(course.rules, SEATS, 0, game.deck).step
        for code in game.log:
            step(code)
    return sum(len(game.log) for game in course.games)


def _record(course: Course, game: Game) -> Record:
    start = Game(course.rules, SEATS, 0, game.deck)
    said = iter_actions(start, encode_log(game))
    entries = tuple(entry_text(seat, text) for seat, text in said)
    return Record(course.preset, SEATS, 0, game.deck, entries)


def _replay_records(course: Course) -> int:
    return sum(len(replay(record).log) for record in course.records)


class _Empty:
    __slots__ = ()

    def call(self, value: int) -> None:
        pass


def _empty_calls(number: int) -> int:
    call = _Empty().call
    for value in range(number):
        call(value)
    return number


def _after(course: Course, played: Game, plies: int) -> Game:
    game = Game(course.rules, SEATS, 0, played.deck)
    for code in played.log[:plies]:
        game.push(code)
    return game


def _best_us(call: Callable[[], object], times: int) -> float:
    def once() -> float:
        start = time.process_time()
        for _ in range(times):
            call()
        return (time.process_time() - start) / times * 1e6

    return min(once() for _ in range(TRIES))


def _import_ms() -> float:
    """Time of `import games.engine` in a fresh interpreter."""
    code = (
        "import time; t = time.process_time(); import games.engine; print(time.process_time() - t)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    return float(told.stdout) * 1000
