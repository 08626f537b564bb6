"""Addresses of `league`."""

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("league.pages.urls")),
    path("api/v1/", include("league.api.urls")),
]
