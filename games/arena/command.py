"""`arena A B C --preset table --games 1000`: the command line of manage.py and of housu.pyz."""

import argparse
import json
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from games.arena.entrants import UnknownEntrantError, entrants
from games.arena.figures import Figures
from games.arena.match import Played
from games.arena.report import report
from games.arena.run import games
from games.arena.seating import Contest
from games.arena.show import opened
from games.arena.stdio import NoBotError
from games.engine import PRESETS, RulesCode, RulesError, packs_needed, rules_from

_USUAL_SEATS: Final = 4
_INTERRUPTED: Final = 130
"""The exit code after Ctrl-C, as shells have it."""

Watch = Callable[[Iterator[Played], int], Iterator[Played]]
"""Shows how far it is: takes the games and their number, gives the games on."""


class UsageError(Exception):
    """What was asked for can't be played."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arena`."""
    parser.add_argument(
        "entrants",
        nargs="+",
        metavar="BOT",
        help="house:NAME, a URL (signed with HOUSUBOT_SECRET) or a stdio bot's command line",
    )
    parser.add_argument("--preset", default="table")
    parser.add_argument("--options", default="{}", help="overrides of the preset, as JSON")
    parser.add_argument("--players", type=int, help="seats (as many as bots; one bot: 4)")
    parser.add_argument("--games", type=int, default=1000, help="rounded up to whole rotations")
    parser.add_argument("--seed", default="7")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--duplicate", action="store_true", help="each deck in all rotations")
    parser.add_argument("--json", type=Path, help="write a record of every game to this file")
    parser.add_argument("--open", action="store_true", help="show a game in the browser")
    parser.add_argument("--move-ms", type=int, default=1000, help="time for an answer")
    parser.add_argument("--bank-ms", type=int, default=30_000, help="time beyond that in a game")


def contest_from(asked: argparse.Namespace) -> Contest:
    """What the command line asks for. Raises `UsageError`."""
    _check_numbers(asked)
    try:
        entering = tuple(entrants(asked.entrants))
        if asked.duplicate and any(entrant.url for entrant in entering):
            raise UsageError("--duplicate deals the same deck again: a URL can't be made to forget")
        options = _options(asked.options)
        rules = rules_from(asked.preset, options)
        players = asked.players or (len(entering) if len(entering) > 1 else _USUAL_SEATS)
        if not 2 <= players <= 6:
            raise UsageError("a table has 2 to 6 seats; --players says how many")
        packs_needed(rules, players)
    except UnknownEntrantError as error:
        raise UsageError(str(error)) from None
    except RulesError as error:
        raise UsageError(_about(error, asked.preset)) from None
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
    """Play, write the games out as they end, then what they tell; so too of those that were played
    when somebody had enough. Raises `UsageError`."""
    contest = contest_from(asked)
    figures = Figures([entrant.name for entrant in contest.entrants], contest.duplicate)
    playing = watch(games(contest, asked.jobs), contest.blocks * contest.players)
    shown: Played | None = None
    try:
        with closing(_kept(playing, asked.json)) as kept:
            for played in kept:
                figures.add(played)
                shown = _rather(shown, played)
    except NoBotError as error:
        if figures.games:
            write(report(contest, figures))
        raise UsageError(str(error)) from None
    except KeyboardInterrupt:
        write("\ninterrupted\n" + report(contest, figures))
        raise SystemExit(_INTERRUPTED) from None
    write(report(contest, figures))
    if asked.open and shown:
        write(opened(shown.record))


def _rather(shown: Played | None, played: Played) -> Played:
    """The game to show: the first in which somebody was at fault, else the first."""
    if shown is None:
        return played
    at_fault = [any(tally.faults for tally in game.tallies) for game in (shown, played)]
    return played if at_fault == [False, True] else shown


def _kept(playing: Iterator[Played], file: Path | None) -> Generator[Played, None, None]:
    """The games, each written down as it ends if there is a file for it."""
    if file is None:
        yield from playing
        return
    try:
        out = file.open("w", buffering=1, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--json {file}: {error.strerror}") from None
    with out:
        for played in playing:
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


def _check_numbers(asked: argparse.Namespace) -> None:
    for name, least in (("games", 1), ("jobs", 1), ("move_ms", 1), ("bank_ms", 0)):
        if getattr(asked, name) < least:
            raise UsageError(f"--{name.replace('_', '-')} wants at least {least}")


def _about(error: RulesError, preset: str) -> str:
    """A refused rule set in words."""
    if error.code == RulesCode.UNKNOWN_PRESET:
        return f"no preset {preset!r}; there are {', '.join(PRESETS)}"
    where = f" ({error.option})" if error.option else ""
    return f"these rules can't be: {error.code}{where}"


def _options(text: str) -> dict[str, Any]:
    try:
        options = json.loads(text)
    except ValueError:
        options = None
    if not isinstance(options, dict):
        raise UsageError("--options wants a JSON object, such as '{\"jokers\": 2}'")
    return options
