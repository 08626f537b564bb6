"""Addresses of the pages of games."""

from django.urls import path

from games.pages import views

urlpatterns = [
    path("games/", views.hall, name="games"),
    path("rules/", views.rules, name="rules"),
    path("games/new", views.new_game, name="new-game"),
    path("g/<uuid:game_id>/", views.table, name="game"),
    path("g/<uuid:game_id>/sit", views.sit, name="game-sit"),
    path("g/<uuid:game_id>/stand-up", views.stand_up, name="game-stand-up"),
    path("g/<uuid:game_id>/ready", views.be_ready, name="game-ready"),
    path("g/<uuid:game_id>/move", views.move, name="game-move"),
]
