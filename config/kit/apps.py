"""The app that carries the kit's few tables."""

from django.apps import AppConfig
from django.urls import register_converter

from config.kit.addresses import NameConverter, TextConverter


class KitConfig(AppConfig):
    """Django app `kit`."""

    name = "config.kit"
    label = "kit"

    def ready(self) -> None:
        """Make `<text:...>` and `<name:...>` known before any address is read."""
        register_converter(TextConverter, "text")
        register_converter(NameConverter, "name")
