"""`manage.py recompute [--check] [COMPETITION ...]`: hold tallies and chain against the ledger."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from league.models import Competition
from league.services import ledger, tallies


class Command(BaseCommand):
    """Recompute what is kept of competitions from their ledgers."""

    help = "Recompute tallies from the ledger; with --check only say what differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which competitions, and whether to change anything."""
        parser.add_argument("competitions", nargs="*", help="slugs; all if none is given")
        parser.add_argument("--check", action="store_true", help="change nothing, exit 1 if wrong")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print one line for each difference and fail if there was one to keep."""
        chosen = Competition.objects.order_by("pk")
        if options["competitions"]:
            chosen = chosen.filter(slug__in=options["competitions"])
        wrong = sum(self._one(competition, options["check"]) for competition in chosen)
        if wrong:
            raise CommandError(f"{wrong} differences.")
        self.stdout.write("The ledger and all that is kept of it agree.")

    def _one(self, competition: Competition, check: bool) -> int:
        broken = ledger.first_broken(competition)
        if broken is not None:
            self.stderr.write(f"{competition.slug}: the chain breaks at row {broken}")
        found = tallies.recompute(competition.pk, write=not check)
        for difference in found:
            self.stderr.write(f"{competition.slug}: entry {difference.entry} {difference.columns}")
        return (broken is not None) + (len(found) if check else 0)
