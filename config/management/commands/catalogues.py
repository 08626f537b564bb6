"""`manage.py catalogues`: compile the translations after a `.po` was changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from config.kit.catalogues import compile_all


class Command(BaseCommand):
    """Writes `.mo` files, as msgfmt would."""

    help = "Compile the translations in config/locale; the results are kept in the repository."

    def handle(self, *args: Any, **options: Any) -> None:
        """Compile them all."""
        for folder in settings.LOCALE_PATHS:
            compile_all(Path(folder))
