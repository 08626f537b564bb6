"""Addresses of `bots_api`."""

from django.urls import URLPattern, URLResolver, include, path

from bots_api import downloads
from bots_api.pages import inbox, owner, public

urlpatterns: list[URLPattern | URLResolver] = [
    path("bots/", public.bots, name="bots"),
    path("bots/new", owner.register, name="bot-register"),
    path("bots/<int:bot_id>/check", owner.check, name="bot-check"),
    path("bots/<int:bot_id>/spar", owner.spar, name="bot-spar"),
    path("bots/<int:bot_id>/pause", owner.pause, name="bot-pause"),
    path("bots/<int:bot_id>/resume", owner.resume, name="bot-resume"),
    path("bots/<int:bot_id>/enter", owner.enter, name="bot-enter"),
    path("bots/<int:bot_id>/rotate", owner.rotate, name="bot-rotate"),
    path("bots/<int:bot_id>/play", owner.play, name="bot-play"),
    path("bots/<int:bot_id>/faults/", inbox.faults, name="bot-faults"),
    path("b/<name:name>/", public.bot, name="bot"),
    path("sdk/<path:name>", downloads.sdk, name="sdk"),
    path("api/v1/", include("bots_api.api.urls")),
]
