"""The app of what machines that play speak."""

from django.apps import AppConfig


class BotsApiConfig(AppConfig):
    """Django app `bots_api`."""

    name = "bots_api"
