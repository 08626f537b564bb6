"""Addresses of the API of games, under `/api/v1/`."""

from django.urls import path

from games.api import (
    history,
    keys,
    lobby,
    mine,
    people,
    phrases,
    play,
    rules,
    tickets,
    together,
)

urlpatterns = [
    path("players", people.Players.as_view()),
    path("me", people.Me.as_view()),
    path("me/games", mine.MyGames.as_view()),
    path("me/settings", mine.MySettings.as_view()),
    path("me/holidays", mine.MyHolidays.as_view()),
    path("me/holidays/<int:holiday_id>", mine.MyHoliday.as_view()),
    path("me/tokens", keys.MyTokens.as_view()),
    path("me/tokens/<int:token_id>", keys.MyToken.as_view()),
    path("me/tokens/<int:token_id>/rotate", keys.RotateMyToken.as_view()),
    path("stream-tickets", tickets.StreamTickets.as_view()),
    path("rules/presets", rules.Presets.as_view()),
    path("rules/check", rules.Check.as_view()),
    path("rules/<text:rules_hash>", rules.Card.as_view()),
    path("games", lobby.Games.as_view()),
    path("games/quick", together.QuickGame.as_view()),
    path("games/finished", history.Finished.as_view()),
    path("games/finished.ndjson", history.Export.as_view()),
    path("games/<uuid:game_id>", play.OneGame.as_view()),
    path("games/<uuid:game_id>/join", lobby.Join.as_view()),
    path("games/<uuid:game_id>/leave", lobby.Leave.as_view()),
    path("games/<uuid:game_id>/ready", lobby.Ready.as_view()),
    path("games/<uuid:game_id>/invitations", together.Invitations.as_view()),
    path("games/<uuid:game_id>/phrases", phrases.Phrases.as_view()),
    path("games/<uuid:game_id>/resign", together.Resign.as_view()),
    path("games/<uuid:game_id>/rematch", together.Rematch.as_view()),
    path("games/<uuid:game_id>/moves", play.Moves.as_view()),
    path("games/<uuid:game_id>/legal", play.Legal.as_view()),
    path("games/<uuid:game_id>/events", play.Events.as_view()),
    path("games/<uuid:game_id>/record", play.GameRecord.as_view()),
    path("games/<uuid:game_id>/proof", play.Proof.as_view()),
]
