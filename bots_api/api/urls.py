"""Addresses of the API of bots, under `/api/v1/`."""

from django.urls import path

from bots_api.api import checks, faults, keys, mail, profile, sparring, views

ONE = "bots/<int:bot_id>"

urlpatterns = [
    path("bots", views.Bots.as_view()),
    path(ONE, views.OneBot.as_view()),
    path(f"{ONE}/pause", views.Pause.as_view()),
    path(f"{ONE}/resume", views.Resume.as_view()),
    path(f"{ONE}/retire", views.Retire.as_view()),
    path(f"{ONE}/secrets", keys.Secrets.as_view()),
    path(f"{ONE}/secrets/<int:secret_id>", keys.OneSecret.as_view()),
    path(f"{ONE}/tokens", keys.Tokens.as_view()),
    path(f"{ONE}/tokens/<int:token_id>", keys.OneToken.as_view()),
    path(f"{ONE}/faults", faults.Faults.as_view()),
    path(f"{ONE}/faults/<int:fault_id>", faults.OneFault.as_view()),
    path(f"{ONE}/faults/<int:fault_id>/test.py", faults.FaultTest.as_view()),
    path(f"{ONE}/versions", profile.Versions.as_view()),
    path(f"{ONE}/figures", profile.Figures.as_view()),
    path(f"{ONE}/notices", profile.Notices.as_view()),
    path(f"{ONE}/sparring", sparring.Sparrings.as_view()),
    path(f"{ONE}/sparring/<int:sparring_id>", sparring.OneSparring.as_view()),
    path(f"{ONE}/check", checks.Check.as_view()),
    path(f"{ONE}/checks", checks.Checks.as_view()),
    path(f"{ONE}/checks/<int:check_id>", checks.OneCheck.as_view()),
    path("bot/stream", mail.Stream.as_view()),
    path("bot/turns", mail.Turns.as_view()),
    path("bot/replies", mail.Replies.as_view()),
]
