"""Addresses of the pages of the league."""

from django.urls import path

from league.pages import club, opening, views

urlpatterns = [
    path("", views.home, name="home"),
    path("live/", views.home_live, name="home_live"),
    path("c/<slug:slug>/", views.competition, name="competition"),
    path("c/<slug:slug>/live/", views.competition_live, name="competition_live"),
    path("k/", opening.link, name="link"),
    path("k/<slug:secret>/", opening.secret, name="link-secret"),
    path("recover/", opening.recover, name="recover"),
    path("club/<slug:slug>/", club.club, name="club"),
    path("club/<slug:slug>/members", club.add_member, name="club-members"),
    path("club/<slug:slug>/members/<int:player_id>", club.change_member, name="club-member"),
    path("club/<slug:slug>/leave", club.leave, name="club-leave"),
    path("club/<slug:slug>/links/<str:role>", club.renew_link, name="club-link"),
    path("l/<slug:slug>/", views.competition, name="league"),
]
