"""`manage.py restore_competition FILE --club SLUG`: a competition from its exported JSON."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.kit.lines import read_text
from league.errors import BadDocumentError
from league.models import Club
from league.services import restoring


class Command(BaseCommand):
    """Checks the document first, then makes everything or nothing."""

    help = "Make a competition from its exported JSON, with players, ledger and records."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file and the club that gets the competition."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--club", required=True, help="the club's slug")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the new competition's address, or what does not check."""
        club = Club.objects.filter(slug=options["club"]).first()
        if club is None:
            raise CommandError("There is no such club.")
        try:
            made = restoring.restore(club.pk, read_text(options["file"]), keeps_roles=True)
        except OSError as error:
            raise CommandError(str(error)) from None
        except BadDocumentError as error:
            raise CommandError(f"{error.detail} {json.dumps(error.data)}") from None
        self.stdout.write(f"/c/{made.slug}/")
