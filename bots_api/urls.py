"""Addresses of `bots_api`."""

from django.urls import URLPattern, URLResolver, include, path

from bots_api import downloads, pages

urlpatterns: list[URLPattern | URLResolver] = [
    path("bots/", pages.bots, name="bots"),
    path("b/<text:name>/", pages.bot, name="bot"),
    path("sdk/<path:name>", downloads.sdk, name="sdk"),
    path("api/v1/", include("bots_api.api.urls")),
]
