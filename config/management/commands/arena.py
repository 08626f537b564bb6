"""`manage.py arena`: bots against each other on this machine; adds a bar to games.arena."""

import argparse
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import track

from games.arena import command
from games.arena.match import Played


class Command(BaseCommand):
    """Needs no database."""

    help = "Let bots play each other and print places, loss rates with intervals, faults and times."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """The options of games.arena."""
        command.add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Play."""
        try:
            command.run(argparse.Namespace(**options), _watched, self.stdout.write)
        except command.UsageError as error:
            raise CommandError(str(error)) from None


def _watched(playing: Iterator[Played], total: int) -> Iterator[Played]:
    console = Console(stderr=True)
    yield from track(playing, "playing", total, console=console, disable=not console.is_terminal)
