"""The app of what is played."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Django app `games`."""

    name = "games"
