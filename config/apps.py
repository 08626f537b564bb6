"""The app of the wiring: what every process must have loaded, web and commands too."""

from importlib import import_module

from django.apps import AppConfig


class WiringConfig(AppConfig):
    """Django app `config`."""

    name = "config"

    def ready(self) -> None:
        """Make ours the current Celery app, or wakes from the web go to a default broker."""
        import_module("config.celery")
