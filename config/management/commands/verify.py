"""`manage.py verify`: checks records and proofs. The work is games.engine.verify's; no database."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.kit.lines import read_text, write_lines
from games.engine import verify_lines


class Command(BaseCommand):
    """One verdict a record or proof, as JSON lines."""

    help = "Verify game records and proofs: shuffle, commitment, every action, the chain."
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
        if not write_lines(verify_lines(text)):
            sys.exit(1)
