"""The worker that serves the night, table and referee pages without a network, and the page of a
table that it shows then.

Its text begins with the files that it keeps and a hash of them: changed files are a changed worker,
which every browser fetches anew by itself.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

_FILES: Final = (
    "kit/site.css",
    "kit/icon.svg",
    "league/club.css",
    "league/league.css",
    "league/live.js",
    "games/ask.css",
    "games/ask.js",
)
_FOLDER: Final = "league/offline"
_WORKER: Final = f"{_FOLDER}/worker.js"


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """`/offline.js`. Pages register it for their own addresses only, wherever these are."""
    answer = HttpResponse(_text(), content_type="text/javascript; charset=utf-8")
    answer["Service-Worker-Allowed"] = "/"
    answer["Cache-Control"] = "no-cache"
    return answer


@never_cache
@ensure_csrf_cookie
@require_safe
def table(request: HttpRequest) -> HttpResponse:
    """`/t/`: a table as the phone has loaded it."""
    return render(request, "league/club/offline_table.html")


def files() -> list[str]:
    """The static files that these pages need, by name."""
    folder = Path(_found(_WORKER)).parent
    modules = sorted(f"{_FOLDER}/{path.name}" for path in folder.glob("*.js"))
    return [*_FILES, *(name for name in modules if name != _WORKER)]


@cache
def _kept() -> str:
    names = files()
    digest = hashlib.sha256()
    for name in (*names, _WORKER):
        digest.update(name.encode() + b"\0" + Path(_found(name)).read_bytes())
    told = {"VERSION": digest.hexdigest()[:12], "FILES": [static(name) for name in names]}
    lines = [f"const {name} = {json.dumps(value)};" for name, value in told.items()]
    return "\n".join([*lines, Path(_found(_WORKER)).read_text()])


def _text() -> str:
    """While somebody works on the files each request reads them anew."""
    return _kept.__wrapped__() if settings.DEBUG else _kept()


def _found(name: str) -> str:
    found = finders.find(name)
    assert isinstance(found, str), f"There is no static file {name}."
    return found
