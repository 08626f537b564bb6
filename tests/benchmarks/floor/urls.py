"""The service's addresses and the floor's."""

from django.urls import include, path

from tests.benchmarks.floor import views

urlpatterns = [
    path("api/floor/constant", views.constant),
    path("api/floor/<int:board_id>/moves", views.BoardMove.as_view()),
    path("", include("config.urls")),
]
