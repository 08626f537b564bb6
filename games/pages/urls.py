"""Addresses of the pages of games."""

from django.urls import path

from games.pages import referee, views

urlpatterns = [
    path("games/", views.hall, name="games"),
    path("rules/", views.rules, name="rules"),
    path("rules/<text:rules_hash>/ask/", referee.ask, name="referee"),
    path("games/new", views.new_game, name="new-game"),
    path("g/<uuid:game_id>/", views.table, name="game"),
    path("games/quick", views.quick_game, name="quick-game"),
    path("j/<text:code>/", views.invitation, name="game-invitation"),
    path("j/<text:code>/sit", views.accept, name="game-accept"),
    path("g/<uuid:game_id>/invite", views.invite, name="game-invite"),
    path("g/<uuid:game_id>/say", views.speak, name="game-say"),
    path("g/<uuid:game_id>/verify", views.verify, name="game-verify"),
    path("g/<uuid:game_id>/resign", views.give_up, name="game-resign"),
    path("g/<uuid:game_id>/rematch", views.again, name="game-rematch"),
    path("g/<uuid:game_id>/sit", views.sit, name="game-sit"),
    path("g/<uuid:game_id>/stand-up", views.stand_up, name="game-stand-up"),
    path("g/<uuid:game_id>/ready", views.be_ready, name="game-ready"),
    path("g/<uuid:game_id>/move", views.move, name="game-move"),
]
