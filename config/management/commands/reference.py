"""`manage.py reference`: writes docs/bots-reference.md. bots_api.protocol.reference does it."""

from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand

from bots_api.protocol.reference import reference

PAGE: Final = Path("docs") / "bots-reference.md"


class Command(BaseCommand):
    """Needs no database."""

    help = "Write docs/bots-reference.md from the schemas of the messages to bots."
    requires_system_checks = ()

    def handle(self, *args: object, **options: Any) -> None:
        """Write it."""
        (settings.BASE_DIR / PAGE).write_text(reference(), encoding="utf-8")
        self.stdout.write(str(PAGE))
