"""`manage.py fingerprint COMPETITION`: one number that two runs with one secret share."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from league.models import Competition
from league.queries.fingerprint import fingerprint


class Command(BaseCommand):
    """Print the fingerprint of a competition."""

    help = "Print the SHA-256 over records, results and standings of a competition."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The competition's slug."""
        parser.add_argument("competition", help="slug of the competition")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print it."""
        competition = Competition.objects.filter(slug=options["competition"]).first()
        if competition is None:
            raise CommandError(f"No competition has the slug {options['competition']}.")
        self.stdout.write(fingerprint(competition))
