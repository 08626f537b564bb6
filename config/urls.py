"""Every address of the service, by app."""

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("games.urls")),
    path("", include("league.urls")),
    path("", include("bots_api.urls")),
]
