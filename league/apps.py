"""The app of what is remembered about people."""

from django.apps import AppConfig


class LeagueConfig(AppConfig):
    """Django app `league`."""

    name = "league"
