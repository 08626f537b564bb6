"""Addresses of the API of bots, under `/api/v1/`."""

from django.urls import path

from bots_api.api import checks, mail, views

ONE = "bots/<int:bot_id>"

urlpatterns = [
    path("bots", views.Bots.as_view()),
    path(ONE, views.OneBot.as_view()),
    path(f"{ONE}/pause", views.Pause.as_view()),
    path(f"{ONE}/resume", views.Resume.as_view()),
    path(f"{ONE}/retire", views.Retire.as_view()),
    path(f"{ONE}/secrets", views.Secrets.as_view()),
    path(f"{ONE}/faults", views.Faults.as_view()),
    path(f"{ONE}/check", checks.Check.as_view()),
    path(f"{ONE}/checks", checks.Checks.as_view()),
    path(f"{ONE}/checks/<int:check_id>", checks.OneCheck.as_view()),
    path("bot/stream", mail.Stream.as_view()),
    path("bot/turns", mail.Turns.as_view()),
    path("bot/replies", mail.Replies.as_view()),
]
