"""Pages that everybody may read: the list of bots, and one bot with all that it has done."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from bots_api import downloads, queries
from bots_api.errors import BotNotFoundError
from bots_api.models import Bot
from bots_api.pages.histogram import chart
from bots_api.queries import documents, versions
from bots_api.queries.coming import coming
from bots_api.queries.traffic import queues
from bots_api.services import notices
from bots_api.services.accepting import Accepts
from games.authentication import session_player
from games.engine import PRESETS
from games.players import HOUSE

SHOWN: Final = 100
SOME: Final = 20


@require_safe
def bots(request: HttpRequest) -> HttpResponse:
    """`/bots/`: who there is, what is coming, and how to bring one's own."""
    player = session_player(request)
    context = {
        "bots": queries.bots().select_related("player__owner").order_by("-id")[:SHOWN],
        "example": downloads.content("examples/python/lowest_bot.py").decode(),
        "checksum": downloads.checksum("housu.pyz"),
        "player": player,
        "presets": list(PRESETS),
        "coming": coming(player.pk if player else None),
    }
    return render(request, "bots_api/bots.html", context)


@require_safe
def bot(request: HttpRequest, name: str) -> HttpResponse:
    """`/b/<name>/`: one bot."""
    try:
        found = queries.by_name(name)
    except BotNotFoundError:
        raise Http404 from None
    player = session_player(request)
    mine = player is not None and player.pk == found.player.owner_id
    figures = versions.total(found.pk)
    context = {
        "bot": found,
        "player": player,
        "mine": mine,
        "figures": figures,
        "chart": chart(figures.counts),
        "versions": documents.versions(list(versions.of_bot(found.pk).order_by("-pk")[:SOME])),
        "faults": queries.faults_by_kind(found.pk),
        "outings": queries.outings(found.pk).order_by("-pk")[:SOME],
        "check": queries.checks(found.pk).exclude(finished_at=None).order_by("-pk").first(),
        "checking": queries.checks(found.pk).filter(finished_at=None).exists(),
        "presence": documents.presence(found),
        "queue": queues([found.pk])[found.pk],
        "accepts": Accepts.read(found.accepts),
        "plays_people": Accepts.read(found.accepts).who in ("people", "both") or mine,
        "presets": list(PRESETS),
        "house": sorted(HOUSE),
        **(_own(found) if mine else {}),
    }
    return render(request, "bots_api/bot.html", context)


def _own(bot: Bot) -> dict[str, Any]:
    """What the owner sees beside."""
    return {
        "notices": [notices.wire(row) for row in queries.notices(bot.pk).order_by("-pk")[:5]],
        "sparring": documents.sparrings(list(queries.sparring(bot.pk).order_by("-pk")[:5])),
        "coming": coming(bot.player.owner_id, bot.player_id),
    }
