"""Sheets for paper: who sits where, slips for tables, rules, standings, a certificate, and the
seatings of rounds to come for every attendance. Codes stand on slips only for who keeps scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.engine.rules import OPTIONS
from games.engine.texts import option_text
from games.queries.replays import rules_of_card
from games.queries.rules_cards import rules_wire
from league.formats import printed
from league.formats.sentences import sentences
from league.models import Competition, Format, Place, Round
from league.pages import found, slips
from league.pages.acting import Acting
from league.pages.found import league as league_found
from league.pages.qr import svg
from league.pages.seated import Ranked, Seated, newest_round, ranked, tables_of
from league.pages.shown import time
from league.queries.fields import draw_seed, still_in

PARTS: Final = {
    "plan": "Who sits where",
    "slips": "Slips for the tables",
    "seatings": "Seatings for every attendance",
    "standings": "Standings",
    "rules": "Rules",
    "certificate": "Certificate",
}
FOR_KEEPERS: Final = ("slips", "seatings")
ROUNDS_AHEAD: Final = 3
# Said of the cards by their number of packs, not at a table.
_NOT_ON_PAPER: Final = ("max_plies", "hand_batches")


@dataclass(frozen=True)
class Slip:
    """The slip of a table: its code to scan, and its code to type later."""

    table: Seated
    qr: SafeString | None
    code: str
    deals: range


@dataclass(frozen=True)
class Ahead:
    """The sheet of a round to come: each name with its place on the list and its lot for seats."""

    round: int
    rows: list[tuple[int, str, int]]
    attendances: tuple[printed.Attendance, ...]


@never_cache
@require_safe
def sheets(request: HttpRequest, slug: str) -> HttpResponse:
    """`/l/<slug>/print/`, with `?part=` one of them."""
    league, who = league_found(request, slug)
    known = [part for part in PARTS if who.keeps_scores or part not in FOR_KEEPERS]
    wanted = request.GET.get("part", "")
    parts = [wanted] if wanted in known else known
    drawn, rows = newest_round(league), ranked(league)
    tables = tables_of(drawn)
    context = {
        "league": league,
        "club": league.club,
        "known": [(part, PARTS[part]) for part in known],
        "parts": parts,
        "round": drawn,
        "printed": time(
            league.finished_at or (drawn.created_at if drawn else None), league.club.zone
        ),
        "tables": tables,
        "rows": rows,
        "word": league.chosen.word,
        "slips": _slips(request, who, drawn, tables) if "slips" in parts else [],
        "ahead": _ahead(league) if "seatings" in parts else [],
        "winners": _winners(league, rows),
        **(_rules(league) if "rules" in parts else {}),
    }
    return render(request, "league/club/print.html", context)


@require_safe
def slip(request: HttpRequest, slug: str) -> HttpResponse:
    """`/l/<slug>/slip/?code=`: to the form of the table that a slip is of."""
    league, _, _ = found.keeper(request, slug)
    at = slips.read(request.GET.get("code", ""))
    if at is None:
        messages.error(request, "That is no code of a slip: look at its letter again.")
        return redirect("league-enter", league.slug)
    return redirect(f"{reverse('league-enter-round', args=[slug, at[0]])}?table={at[1]}")


def _slips(
    request: HttpRequest, who: Acting, drawn: Round | None, tables: list[Seated]
) -> list[Slip]:
    if drawn is None:
        return []
    codes = dict(Place.objects.filter(club=who.club).values_list("number", "code"))
    made = []
    for table in tables:
        code = codes.get(table.number)
        address = request.build_absolute_uri(reverse("place", args=[code])) if code else ""
        qr = svg(address, f"Table {table.number}: {address}") if code else None
        written = slips.written(drawn.number, table.number)
        made.append(Slip(table, qr, written, range(1, table.deals_planned + 1)))
    return made


def _ahead(league: Competition) -> list[Ahead]:
    """The rounds to come, where lots alone say who sits where."""
    entries = still_in(league)
    if league.format != Format.ROUNDS or len(entries) < 2:
        return []
    names = {entry.number: entry.plays.name for entry in entries}
    first = Round.objects.filter(competition=league).count() + 1
    made = []
    for number in range(first, first + ROUNDS_AHEAD):
        paper = printed.sheet(sorted(names), league.chosen, draw_seed(league, number))
        rows = [
            (at, names.get(entry, ""), paper.seat_lots[entry])
            for at, entry in enumerate(paper.order, start=1)
        ]
        made.append(Ahead(number, rows, paper.attendances))
    return made


def _winners(league: Competition, rows: list[Ranked]) -> list[Ranked]:
    """Who has won, or leads so far."""
    played = any(row.wire["deals"] for row in rows)
    return [row for row in rows if row.wire["rank"] == 1] if played else []


def _rules(league: Competition) -> dict[str, Any]:
    rules = rules_of_card(league.rules.card)
    return {
        "rules": rules_wire(rules),
        "cards": [
            option_text(rules, name)[1] for name in sorted(OPTIONS) if name not in _NOT_ON_PAPER
        ],
        "sentences": sentences(league.chosen, league.format),
    }
