"""The inbox of a bot's faults, for its owner: by version and kind, page by page."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from bots_api import queries
from bots_api.models import Fault
from bots_api.pages.owner import mine
from bots_api.queries import documents, versions
from config.kit.paging import addresses, page

FAULTS_A_PAGE: Final = 20


@require_safe
def faults(request: HttpRequest, bot_id: int) -> HttpResponse:
    """`/bots/<id>/faults/`: the inbox."""
    bot, _ = mine(request, bot_id)
    rows, chosen = queries.faults(bot.pk), {}
    if version := request.GET.get("version", "").replace("\0", ""):
        chosen["version"] = version
        rows = rows.filter(version__version=chosen["version"])
    if request.GET.get("kind") in Fault.Kind.values:
        chosen["kind"] = request.GET["kind"]
        rows = rows.filter(kind=chosen["kind"])
    cursor = request.GET.get("cursor", "")
    after = int(cursor) if cursor.isdecimal() and len(cursor) < 19 else None
    found = page(rows, "-id", after, FAULTS_A_PAGE, addresses(request.path, chosen))
    context = {
        "bot": bot,
        "faults": [documents.fault(row) for row in found.rows],
        "next": found.next,
        "chosen": chosen,
        "kinds": Fault.Kind.values,
        "versions": versions.of_bot(bot.pk).order_by("-pk").values_list("version", flat=True),
    }
    return render(request, "bots_api/faults.html", context)
