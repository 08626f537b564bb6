"""`arena A B C --preset table --games 1000`: the command line of manage.py and of housu.pyz."""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

from games.arena.entrants import UnknownEntrantError, entrants
from games.arena.figures import Figures
from games.arena.match import Played
from games.arena.report import report
from games.arena.run import games
from games.arena.seating import Contest
from games.arena.stdio import NoHandshakeError
from games.engine import RulesError, packs_needed, rules_from

_USUAL_SEATS: Final = 4

Watch = Callable[[Iterator[Played], int], Iterator[Played]]
"""Shows how far it is: takes the games and their number, gives the games on."""


class UsageError(Exception):
    """What was asked for can't be played."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arena`."""
    parser.add_argument(
        "entrants", nargs="+", metavar="BOT", help="house:NAME or the command line of a stdio bot"
    )
    parser.add_argument("--preset", default="table")
    parser.add_argument("--options", default="{}", help="overrides of the preset, as JSON")
    parser.add_argument("--players", type=int, help="seats (as many as bots; one bot: 4)")
    parser.add_argument("--games", type=int, default=1000, help="rounded up to whole rotations")
    parser.add_argument("--seed", default="7")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--duplicate", action="store_true", help="each deck in all rotations")
    parser.add_argument("--json", type=Path, help="write a record of every game to this file")
    parser.add_argument("--move-ms", type=int, default=1000)
    parser.add_argument("--bank-ms", type=int, default=30_000)


def contest_from(asked: argparse.Namespace) -> Contest:
    """What the command line asks for. Raises `UsageError`."""
    try:
        entering = tuple(entrants(asked.entrants))
        options = _options(asked.options)
        rules = rules_from(asked.preset, options)
        players = asked.players or (len(entering) if len(entering) > 1 else _USUAL_SEATS)
        if not 2 <= players <= 6:
            raise UsageError("a table has 2 to 6 seats")
        packs_needed(rules, players)
    except UnknownEntrantError as error:
        raise UsageError(str(error)) from None
    except RulesError as error:
        raise UsageError(f"{error.code} {error.option or ''}".strip()) from None
    return Contest(
        entrants=entering,
        rules=rules,
        preset=asked.preset,
        options=tuple(options.items()),
        players=players,
        games=asked.games,
        seed=asked.seed,
        duplicate=asked.duplicate,
        move_ms=asked.move_ms,
        bank_ms=asked.bank_ms,
    )


def run(asked: argparse.Namespace, watch: Watch, write: Callable[[str], Any]) -> None:
    """Play, write the games out as they end, then what they tell. Raises `UsageError`."""
    contest = contest_from(asked)
    figures = Figures([entrant.name for entrant in contest.entrants], contest.duplicate)
    playing = watch(games(contest, asked.jobs), contest.blocks * contest.players)
    try:
        for played in _kept(playing, asked.json):
            figures.add(played)
    except NoHandshakeError as error:
        raise UsageError(str(error)) from None
    write(report(contest, figures))


def _kept(playing: Iterator[Played], file: Path | None) -> Iterator[Played]:
    """The games, each written down as it ends if there is a file for it."""
    with file.open("w", encoding="utf-8") if file else nullcontext() as out:
        for played in playing:
            if out is not None:
                out.write(json.dumps(played.record, separators=(",", ":")) + "\n")
            yield played


def plain_progress(playing: Iterator[Played], total: int) -> Iterator[Played]:
    """A line that is written over on a terminal; nothing where nobody looks."""
    shown, told = sys.stderr.isatty(), 0.0
    for number, played in enumerate(playing, start=1):
        yield played
        if shown and (time.monotonic() - told > 0.2 or number == total):
            told = time.monotonic()
            filled = 30 * number // total
            bar = "#" * filled + "." * (30 - filled)
            sys.stderr.write(f"\r[{bar}] {number}/{total}" + "\n" * (number == total))
            sys.stderr.flush()


def _options(text: str) -> dict[str, Any]:
    try:
        options = json.loads(text)
    except ValueError:
        options = None
    if not isinstance(options, dict):
        raise UsageError("--options wants a JSON object")
    return options
