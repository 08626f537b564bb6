"""The app that carries the kit's few tables."""

from django.apps import AppConfig


class KitConfig(AppConfig):
    """Django app `kit`."""

    name = "config.kit"
    label = "kit"
