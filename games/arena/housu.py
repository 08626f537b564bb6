"""`housu.pyz`: the arena, traces and verdicts in one file of the standard library."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from config.kit.lines import read_text, write_lines
from games.arena import command
from games.engine import trace_lines, verify_lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one subcommand; its exit code."""
    asked = _parser().parse_args(arguments)
    try:
        if asked.command == "arena":
            command.run(asked, command.plain_progress, print)
            return 0
        text = read_text(asked.file)
    except (command.UsageError, OSError) as error:
        print(f"housu: {error}", file=sys.stderr)  # noqa: T201 - a program's own words
        return 2
    told = verify_lines(text) if asked.command == "verify" else trace_lines(text)
    return 0 if write_lines(told) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="housu", description="Paskahousu for bot authors.")
    commands = parser.add_subparsers(dest="command", required=True)
    command.add_arguments(commands.add_parser("arena", help="let bots play each other"))
    for name, help_text in (
        ("trace", "replay records, a JSON line for each action"),
        ("verify", "check records and proofs, a verdict for each"),
    ):
        reading = commands.add_parser(name, help=help_text)
        reading.add_argument("file", nargs="?", type=Path, help="standard input without it")
    return parser
