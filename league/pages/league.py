"""The page of a league: who leads and why, who sits where, what came of it; for organisers the
buttons that begin a night."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from league.formats.sentences import sentences
from league.models import Competition, DealResult, Place, Round, Table
from league.pages import acting
from league.pages.acting import Acting, require_organiser
from league.pages.refusals import done
from league.pages.shown import pips, time
from league.queries import documents, nights
from league.queries.members import doubles
from league.queries.sitting import last_of
from league.queries.standings import standings
from league.queries.wires import StandingWire
from league.services import competitions, rounds
from league.tasks import follow_up

LAST_RESULTS = 40


@dataclass(frozen=True)
class Row:
    """A row of the standings; `letters` of the word, and whether each is taken."""

    wire: StandingWire
    letters: tuple[tuple[str, bool], ...]
    pips: str
    looks_alike: bool


@require_safe
def league(request: HttpRequest, slug: str) -> HttpResponse:
    """`/l/<slug>/`"""
    found, who = _found(request, slug)
    ranked = standings(found)
    wires = documents.standings(ranked)
    alike = doubles(row.player.name_key for row in ranked)
    names = {row["entry"]: row["player"]["name"] for row in wires}
    drawn = Round.objects.filter(competition=found).exclude(state=Round.State.VOID)
    newest = drawn.order_by("-number").first()
    has_night = nights.current(found) is not None
    context = {
        "league": found,
        "club": found.club,
        "who": who,
        "rows": [
            _row(wire, found.chosen.word, row.player.name_key in alike)
            for wire, row in zip(wires, ranked, strict=True)
        ],
        "word": found.chosen.word,
        "round": newest,
        "tables": _tables(newest, who) if newest else [],
        "results": _results(found, names),
        "sentences": sentences(found.chosen, found.format),
        "starts": time(found.starts_at, found.club.zone),
        "has_night": has_night,
        "may_start": not has_night and who.organises and found.state == Competition.State.OPEN,
        "may_open": not has_night
        and who.organises
        and found.state == Competition.State.RUNNING
        and (newest is None or newest.state != Round.State.PLAYING),
    }
    return render(request, "league/club/league.html", context)


@require_POST
def begin(request: HttpRequest, slug: str) -> HttpResponse:
    """Start the league, or draw its next round."""
    found, who = _found(request, slug)
    require_organiser(who)

    def go() -> None:
        opened = found.state == Competition.State.OPEN
        follow_up(competitions.start(found.pk) if opened else rounds.open(found.pk))

    return done(request, reverse("league", args=[slug]), go, "Seated.")


def _found(request: HttpRequest, slug: str) -> tuple[Competition, Acting]:
    """A league that this browser may see; 404 for tournaments too, which have a page."""
    leagues = Competition.objects.filter(slug=slug, kind=Competition.Kind.LEAGUE)
    found = leagues.select_related("club", "rules").first()
    if found is None:
        raise Http404
    return found, acting.of_club(request, found.club)


def _row(wire: StandingWire, word: str, looks_alike: bool) -> Row:
    letters = tuple((letter, at < wire["chips"]) for at, letter in enumerate(word))
    return Row(wire, letters, pips(wire["chips"]), looks_alike)


def _tables(drawn: Round, who: Acting) -> list[dict[str, Any]]:
    """Who sits where; who belongs to the club finds the page of the table too."""
    codes = dict(Place.objects.filter(club=who.club).values_list("number", "code"))
    tables = Table.objects.filter(round=drawn).order_by("number")
    return [
        {
            "number": table.number,
            "state": table.state,
            "deals_done": table.deals_done,
            "deals_planned": table.deals_planned,
            "names": [seat.entry.player.name for seat in table.seats.all()],
            "code": codes.get(table.number) if who.role is not None else None,
        }
        for table in tables.prefetch_related("seats__entry__player")
    ]


def _results(found: Competition, names: dict[int, str]) -> Sequence[dict[str, Any]]:
    """The newest deals, and who was last in each."""
    rows = DealResult.objects.filter(table__round__competition=found)
    newest = rows.exclude(state=DealResult.State.VOID).select_related("table__round")
    return [
        {
            "round": row.table.round.number,
            "table": row.table.number,
            "deal": row.deal,
            "state": row.state,
            "version": row.version,
            "last": ", ".join(names.get(number, f"no. {number}") for number in last_of(row.places)),
        }
        for row in newest.order_by("-table__round__number", "table__number", "-deal")[:LAST_RESULTS]
    ]
