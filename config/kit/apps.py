"""The app that carries the kit's few tables."""

from django.apps import AppConfig
from django.urls import register_converter

from config.kit.addresses import TextConverter


class KitConfig(AppConfig):
    """Django app `kit`."""

    name = "config.kit"
    label = "kit"

    def ready(self) -> None:
        """Make `<text:...>` known before any address is read."""
        register_converter(TextConverter, "text")
