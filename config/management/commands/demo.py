"""`manage.py demo`: load the demo club, its bots and its schedule; safe to repeat."""

from typing import Any

from django.core.management.base import BaseCommand

from config import demo


class Command(BaseCommand):
    """Called by `make up` at every start."""

    help = "Load the demo club with house bots, example bots and a scheduled knockout."

    def handle(self, *args: Any, **options: Any) -> None:
        """Make what is missing."""
        demo.load()
