"""`manage.py verify`: checks records, proofs and exported competitions; needs no database.

The work is that of games.engine.verify and league.archive.
"""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.kit.lines import read_text, write_lines
from games.engine import verify_lines
from league.archive import check, is_document


class Command(BaseCommand):
    """One verdict a record, proof or part of a competition, as JSON lines."""

    help = "Verify records, proofs and exported competitions, whose rounds are drawn again."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take a file."""
        parser.add_argument("file", nargs="?", type=Path, help="one JSON value, or one a line")

    def handle(self, *args: object, **options: Any) -> None:
        """Write the verdicts; exit 1 at the first bad one."""
        try:
            text = read_text(options["file"])
        except OSError as error:
            raise CommandError(str(error)) from None
        if is_document(text):
            # Every part is told, so that one difference hides no other.
            verdicts = list(check(text))
            for verdict in verdicts:
                self.stdout.write(json.dumps(verdict, separators=(",", ":")))
            right = all(verdict["ok"] for verdict in verdicts)
        else:
            right = write_lines(verify_lines(text))
        if not right:
            sys.exit(1)
