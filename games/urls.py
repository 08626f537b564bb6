"""Addresses of `games`."""

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", include("games.api.urls")),
    path("", include("games.pages.urls")),
]
