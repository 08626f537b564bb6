"""Addresses of the pages of the league."""

from django.urls import path

from league.pages import views

urlpatterns = [
    path("", views.home, name="home"),
    path("live/", views.home_live, name="home_live"),
    path("c/<slug:slug>/", views.competition, name="competition"),
    path("c/<slug:slug>/live/", views.competition_live, name="competition_live"),
]
