"""Pages about bots, and the files for their authors."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from bots_api import queries
from bots_api.errors import BotNotFoundError
from bots_api.models import Bot
from bots_api.queries import documents
from config.kit import etag

HERE: Final = Path(__file__).parent
PYTHON: Final = "text/x-python; charset=utf-8"
PLAIN: Final = "text/plain; charset=utf-8"
FILES: Final = {
    "housubot.py": HERE / "sdk" / "housubot.py",
    "examples/lowest_bot.py": HERE / "examples" / "python" / "lowest_bot.py",
    "examples/keeper_bot.py": HERE / "examples" / "python" / "keeper_bot.py",
}
SHOWN: Final = 100


def bots(request: HttpRequest) -> HttpResponse:
    """`/bots/`: who there is, and how to bring one's own."""
    context = {
        "bots": queries.bots().select_related("player__owner").order_by("-id")[:SHOWN],
        "example": FILES["examples/lowest_bot.py"].read_text(),
        "checksum": _checksum(FILES["housubot.py"].read_bytes()),
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


def sdk(request: HttpRequest, name: str) -> HttpResponse:
    """`/sdk/<name>`, and its SHA-256 at `/sdk/<name>.sha256`."""
    path = FILES.get(name.removesuffix(".sha256"))
    if path is None:
        raise Http404
    content = path.read_bytes()
    if name.endswith(".sha256"):
        content = f"{_checksum(content)}  {path.name}\n".encode()
        return etag.answer_bytes(request, content, PLAIN)
    return etag.answer_bytes(request, content, PYTHON)


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
