"""`manage.py bundle`: writes `housu.pyz`. The work is games.arena.bundle's."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from games.arena.bundle import bundle


class Command(BaseCommand):
    """Needs no database."""

    help = "Write housu.pyz: engine, house bots, arena, check, starters, trace, verify in one file."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the file to write."""
        parser.add_argument("file", nargs="?", type=Path, default=Path("housu.pyz"))

    def handle(self, *args: object, **options: Any) -> None:
        """Write it."""
        options["file"].write_bytes(bundle())
        self.stdout.write(f"{options['file']}")
