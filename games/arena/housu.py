"""`housu.pyz`: arena, check, starters, traces and verdicts in one file of the standard library."""

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from config.kit.lines import read_text, write_lines
from games.arena import checked, checkup, command, starters
from games.arena.webhook import BadUrlError
from games.engine import trace_lines, verify_lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one subcommand; its exit code: 0 good, 1 not good, 2 not understood."""
    asked = _parser().parse_args(arguments)
    try:
        return 0 if _RUN[asked.command](asked) else 1
    except BrokenPipeError:
        return _cut_short()
    except (command.UsageError, starters.BadFolderError, BadUrlError, OSError) as error:
        print(f"housu: {error}", file=sys.stderr)  # noqa: T201 - a program's own words
        return 2


def _arena(asked: argparse.Namespace) -> bool:
    command.run(asked, command.plain_progress, print)
    return True


def _check(asked: argparse.Namespace) -> bool:
    bot = asked.bot
    try:
        asker = checkup.way(bot, os.environ.get("HOUSUBOT_SECRET", "").split(), _say)
    except ValueError as error:
        raise command.UsageError(f"{bot}: {error}") from None
    try:
        return checked.tell(bot, checkup.steps(asker), _say)
    finally:
        asker.close()


def _new(asked: argparse.Namespace) -> bool:
    folder, starter = asked.folder, starters.STARTERS[asked.language]
    names = starters.lay_out(asked.language, folder)
    if sys.argv[0].endswith(".pyz"):
        shutil.copy(sys.argv[0], folder / "housu.pyz")
        names.append("housu.pyz")
    _say(f"{folder}: {', '.join(names)}. Try it:\n\n  {starters.first_try(starter, folder)}")
    return True


def _trace(asked: argparse.Namespace) -> bool:
    return write_lines(trace_lines(read_text(asked.file)))


def _verify(asked: argparse.Namespace) -> bool:
    return write_lines(verify_lines(read_text(asked.file)))


_RUN: Final[dict[str, Callable[[argparse.Namespace], bool]]] = {
    "arena": _arena,
    "check": _check,
    "new": _new,
    "trace": _trace,
    "verify": _verify,
}


def _cut_short() -> int:
    """Whoever closes the pipe has read enough; nothing is left to flush at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a program's own words


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="housu", description="Paskahousu for bot authors.")
    commands = parser.add_subparsers(dest="command", required=True)
    command.add_arguments(commands.add_parser("arena", help="let bots play each other"))
    checking = commands.add_parser(
        "check",
        help="ask a bot what the service's check asks",
        epilog="The signing secret of a URL is read from HOUSUBOT_SECRET.",
    )
    checking.add_argument("bot", help="URL, or the command line of a stdio bot in quotes")
    making = commands.add_parser("new", help="lay out a bot that plays at once")
    making.add_argument("language", choices=sorted(starters.STARTERS))
    making.add_argument("folder", type=Path, metavar="DIR", help="an empty or a new folder")
    for name, help_text in (
        ("trace", "replay records, a JSON line for each action"),
        ("verify", "check records and proofs, a verdict for each"),
    ):
        reading = commands.add_parser(name, help=help_text)
        reading.add_argument("file", nargs="?", type=Path, help="standard input without it")
    return parser
