"""How fast the engine is: random play, views, replays, every preset; clone, size, compile, import.

All rates are medians of five rounds in which every side is measured in turn, so that a busy machine
slows all of them alike; the floor is the rate of calls to an empty method in the same rounds.
"""

import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from games.engine import PRESETS, Game, Rules, packs_needed, rules_from, shuffled_deck, view
from games.engine.tables import tables
from tests.benchmarks import Figure
from tests.benchmarks.sizes import size_of

SEATS = 4
DEALS = 20
ROUNDS = 5
BOT = f"random bot, {SEATS} seats"


class Course(NamedTuple):
    """A rule set with decks to play, and the codes of each game as random play went."""

    rules: Rules
    decks: Sequence[tuple[int, ...]]
    logs: Sequence[Sequence[int]]


def measure() -> list[Figure]:
    """All figures of the engine."""
    courses = {preset: _course(rules_from(preset)) for preset in PRESETS}
    table = courses["table"]
    rates = _rates(
        {
            "floor": lambda: _empty_calls(100_000),
            "views": lambda: _play_with_views(table),
            "replay": lambda: _replay(table),
            **{preset: lambda c=course: _play(c) for preset, course in courses.items()},  # type: ignore[misc]
        }
    )
    floor = rates["floor"]
    slowest = min(PRESETS, key=rates.__getitem__)
    share, checked = rates[slowest] / rates["table"], rates["replay"] / rates["table"]
    return [
        Figure(f"random play, table, {BOT}", rates["table"], "plies/s", "", None, floor),
        Figure(f"the same with a view a ply, {BOT}", rates["views"], "plies/s", "", None, floor),
        Figure("calls of an empty method a ply", floor / rates["table"], "calls", "", None),
        Figure("checked replay against play", checked, "x", ">= 1.5", checked >= 1.5, floor),
        Figure(f"slowest preset ({slowest})", share, "x table", ">= 0.5", share >= 0.5, floor),
        *_small_figures(table),
    ]


def _small_figures(table: Course) -> list[Figure]:
    game = _after(table, 100)
    bytes_held, clone_us = size_of(game), _best_us(game.clone, 2000)
    compile_ms = _best_us(lambda: tables.__wrapped__(table.rules), 20) / 1000
    import_ms = min(_import_ms() for _ in range(ROUNDS))
    return [
        Figure("state with a 100-ply log", bytes_held, "bytes", "<= 4096", bytes_held <= 4096),
        Figure("clone", clone_us, "us", "<= 1", clone_us <= 1),
        Figure("rule set compile", compile_ms, "ms", "<= 2", compile_ms <= 2),
        Figure("import games.engine", import_ms, "ms", "<= 100", import_ms <= 100),
    ]


def _course(rules: Rules) -> Course:
    packs, _ = packs_needed(rules, SEATS)
    decks = [shuffled_deck(number.to_bytes(32), packs, rules.jokers) for number in range(DEALS)]
    course = Course(rules, decks, [])
    return course._replace(logs=[game.log for game in _played(course)])


def _played(course: Course) -> list[Game]:
    rng, games = random.Random(1), []
    for deck in course.decks:
        games.append(game := Game(course.rules, SEATS, 0, deck))
        codes = game.codes()
        while codes:
            game.step(codes[int(rng.random() * len(codes))])
            codes = game.codes()
    return games


def _rates(sides: dict[str, Callable[[], int]]) -> dict[str, float]:
    """Units a second of each side, by processor time."""
    found: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(ROUNDS):
        for name, run in sides.items():
            start = time.process_time()
            units = run()
            found[name].append(units / (time.process_time() - start))
    return {name: statistics.median(rates) for name, rates in found.items()}


def _play(course: Course) -> int:
    """Random play through the public step API: legal actions, checked action, log."""
    return sum(len(game.log) for game in _played(course))


def _play_with_views(course: Course) -> int:
    rng, plies = random.Random(1), 0
    for deck in course.decks:
        game = Game(course.rules, SEATS, 0, deck)
        codes = game.codes()
        while codes:
            view(game, game.turn)
            game.step(codes[int(rng.random() * len(codes))])
            codes = game.codes()
        plies += len(game.log)
    return plies


def _replay(course: Course) -> int:
    for deck, log in zip(course.decks, course.logs, strict=True):
        step = Game(course.rules, SEATS, 0, deck).step
        for code in log:
            step(code)
    return sum(map(len, course.logs))


class _Empty:
    __slots__ = ()

    def call(self, value: int) -> None:
        pass


def _empty_calls(number: int) -> int:
    call = _Empty().call
    for value in range(number):
        call(value)
    return number


def _after(course: Course, plies: int) -> Game:
    number = max(range(DEALS), key=lambda n: len(course.logs[n]))
    game = Game(course.rules, SEATS, 0, course.decks[number])
    for code in course.logs[number][:plies]:
        game.push(code)
    return game


def _best_us(call: Callable[[], object], times: int) -> float:
    def once() -> float:
        start = time.process_time()
        for _ in range(times):
            call()
        return (time.process_time() - start) / times * 1e6

    return min(once() for _ in range(ROUNDS))


def _import_ms() -> float:
    """Time of `import games.engine` in a fresh interpreter."""
    code = (
        "import time; t = time.process_time(); import games.engine; print(time.process_time() - t)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    return float(told.stdout) * 1000
