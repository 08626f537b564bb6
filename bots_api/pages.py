"""Pages about bots, and the files for their authors."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from bots_api import positions, queries
from bots_api.errors import BotNotFoundError
from bots_api.models import Bot
from bots_api.queries import documents
from bots_api.schemas import TURN_SCHEMA
from config.kit import etag
from config.kit.wire import dumps

HERE: Final = Path(__file__).parent
PYTHON: Final = "text/x-python; charset=utf-8"
PLAIN: Final = "text/plain; charset=utf-8"
JSON: Final = "application/json"
FILES: Final = {
    "housubot.py": HERE / "sdk" / "housubot.py",
    "examples/lowest_bot.py": HERE / "examples" / "python" / "lowest_bot.py",
    "examples/keeper_bot.py": HERE / "examples" / "python" / "keeper_bot.py",
}
MADE: Final[dict[str, Callable[[], object]]] = {
    "positions.json": positions.document,
    "turn.schema.json": lambda: TURN_SCHEMA,
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
    plain = name.removesuffix(".sha256")
    content = _content(plain)
    if name != plain:
        line = f"{_checksum(content)}  {plain.rpartition('/')[2]}\n"
        return etag.answer_bytes(request, line.encode(), PLAIN)
    return etag.answer_bytes(request, content, JSON if plain in MADE else PYTHON)


@cache
def _content(name: str) -> bytes:
    if name in MADE:
        return dumps(MADE[name]())
    if name not in FILES:
        raise Http404
    return FILES[name].read_bytes()


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
