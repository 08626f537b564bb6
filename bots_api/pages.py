"""Pages about bots."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from bots_api import downloads, queries
from bots_api.errors import BotNotFoundError
from bots_api.models import Bot
from bots_api.queries import documents

SHOWN: Final = 100


def bots(request: HttpRequest) -> HttpResponse:
    """`/bots/`: who there is, and how to bring one's own."""
    context = {
        "bots": queries.bots().select_related("player__owner").order_by("-id")[:SHOWN],
        "example": downloads.content("examples/python/lowest_bot.py").decode(),
        "checksum": downloads.checksum("housu.pyz"),
    }
    return render(request, "bots_api/bots.html", context)


def bot(request: HttpRequest, name: str) -> HttpResponse:
    """`/b/<name>/`: one bot."""
    try:
        found = queries.by_name(name)
    except BotNotFoundError:
        raise Http404 from None
    context = {
        "bot": found,
        "versions": found.versions.order_by("-pk")[:20],
        "states": Bot.State,
        "check": queries.checks(found.pk).exclude(finished_at=None).order_by("-pk").first(),
        "presence": documents.presence(found),
    }
    return render(request, "bots_api/bot.html", context)
