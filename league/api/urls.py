"""Addresses of the API of the league, under `/api/v1/`."""

from django.urls import path

from league.api import clubs, competitions, watching

ONE = "competitions/<int:competition_id>"

urlpatterns = [
    path("clubs", clubs.Clubs.as_view()),
    path("clubs/<slug:slug>", clubs.OneClub.as_view()),
    path("schedules", clubs.Schedules.as_view()),
    path("competitions", competitions.Competitions.as_view()),
    path(ONE, competitions.OneCompetition.as_view()),
    path(f"{ONE}/entries", competitions.Entries.as_view()),
    path(f"{ONE}/entries/<int:player_id>", competitions.OneEntry.as_view()),
    path(f"{ONE}/start", competitions.Start.as_view()),
    path(f"{ONE}/rounds", watching.Rounds.as_view()),
    path(
        f"{ONE}/rounds/<int:round_number>/tables/<int:table_number>",
        watching.OneTable.as_view(),
    ),
    path(f"{ONE}/standings", watching.Standings.as_view()),
    path(f"{ONE}/tallies", watching.Tallies.as_view()),
    path(f"{ONE}/ledger", watching.Ledger.as_view()),
    path(f"{ONE}/events", watching.Events.as_view()),
    path(f"{ONE}/dashboard", watching.Dashboard.as_view()),
]
