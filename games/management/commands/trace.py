"""`manage.py trace`: replays records and writes what they do. The work is games.engine.trace's."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.kit.lines import read_text, write_lines
from games.engine import trace_lines, verify_lines


class Command(BaseCommand):
    """Trace or verify records, one JSON object or one a line."""

    help = "Replay game records and write a JSON line for the deal and for each action."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take a file, and whether verdicts are wanted."""
        parser.add_argument("file", nargs="?", type=Path, help="records (standard input)")
        parser.add_argument("--verify", action="store_true", help="one verdict a record instead")

    def handle(self, *args: object, **options: Any) -> None:
        """Write the lines; exit 1 at the first bad verdict."""
        try:
            text = read_text(options["file"])
        except OSError as error:
            raise CommandError(str(error)) from None
        if not write_lines(verify_lines(text) if options["verify"] else trace_lines(text)):
            sys.exit(1)
