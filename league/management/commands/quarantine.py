"""`manage.py quarantine [--release]`: tables and games that were given up after three attempts."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db.models import QuerySet

from config.kit import leases
from games.models import Game
from league.models import Table


class Command(BaseCommand):
    """Show what stands still, and let it be tried again."""

    help = "List quarantined tables and games; with --release they are tried again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whether to change anything."""
        parser.add_argument("--release", action="store_true", help="clear their attempts")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print one line for each."""
        live = Game.objects.filter(state__in=[Game.State.READY, Game.State.PLAYING])
        unfinished = Table.objects.filter(state__in=[Table.State.WAITING, Table.State.PLAYING])
        found = self._show("table", unfinished) + self._show("game", live)
        if not found:
            self.stdout.write("Nothing is quarantined.")
        elif options["release"]:
            released = leases.pardon(unfinished) + leases.pardon(live)
            self.stdout.write(f"{released} released: the sweep finds them within seconds.")

    def _show(self, what: str, rows: QuerySet[Any]) -> int:
        found = list(leases.quarantined(rows))
        for row in found:
            since = f"due since {row.due_at:%Y-%m-%d %H:%M}" if row.due_at else "not due"
            self.stdout.write(f"{what} {row.pk}: {row.quarantine_reason}, {since}")
        return len(found)
