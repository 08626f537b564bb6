"""The page of a league: who leads and why, who sits where, what came of it; for organisers the
buttons that begin a night."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST, require_safe

from league import polite
from league.formats.sentences import sentences
from league.models import Competition, DealResult, Entry, Place, Round, Table
from league.pages import found as found_league
from league.pages import keys
from league.pages.acting import Acting
from league.pages.course import Course, course, heat_map
from league.pages.outcomes import outcome
from league.pages.refusals import done
from league.pages.shown import pips, time
from league.queries import documents
from league.queries.disputes import disputes
from league.queries.members import doubles
from league.queries.standings import folded, standings
from league.queries.wires import ReasonWire, StandingWire
from league.services import competitions, rounds
from league.tasks import follow_up

LAST_RESULTS = 40


@dataclass(frozen=True)
class Row:
    """A row of the standings; `letters` of the word, and whether each is taken; `above` and
    `below`: why it stands above the next one and below the one before."""

    wire: StandingWire
    above: ReasonWire | None
    below: ReasonWire | None
    over: str
    """The name of the one before."""
    line: SafeString
    letters: tuple[tuple[str, bool], ...]
    pips: str
    looks_alike: bool


@require_safe
def league(request: HttpRequest, slug: str) -> HttpResponse:
    """`/l/<slug>/`"""
    found, who = found_league.league(request, slug)
    fold = folded(found)
    ranked = standings(found, fold)
    wires = documents.standings(ranked)
    alike = doubles(row.player.name_key for row in ranked)
    known = [(row["entry"], row["player"]["name"]) for row in wires]
    drawn = Round.objects.filter(competition=found).exclude(state=Round.State.VOID)
    newest = drawn.order_by("-number").first()
    drawing = course(fold, [number for number, _ in known])
    looks = [row.player.name_key in alike for row in ranked]
    word = polite.text(found.chosen.word) if found.club.polite else found.chosen.word
    context = {
        "key": keys.fresh(),
        "league": found,
        "club": found.club,
        "who": who,
        "rows": _rows(wires, word, looks, drawing),
        "course": drawing,
        "chips": [(name, drawing.chips[number]) for number, name in known],
        "heat": heat_map(fold, known),
        "word": word,
        "round": newest,
        "tables": _tables(newest, who, dict(known)) if newest else [],
        "disputes": disputes(found),
        "results": _results(found, dict(known)),
        "sentences": sentences(found.chosen, found.format),
        "starts": time(found.starts_at, found.club.zone),
        "may_start": who.organises and found.state == Competition.State.OPEN,
        "may_open": who.organises
        and found.state == Competition.State.RUNNING
        and (newest is None or newest.state != Round.State.PLAYING),
    }
    return render(request, "league/club/league.html", context)


@require_POST
def begin(request: HttpRequest, slug: str) -> HttpResponse:
    """Start the league, or draw its next round."""
    found, _, _ = found_league.organiser(request, slug)

    def go() -> None:
        opened = found.state == Competition.State.OPEN
        printed = "printed" in request.POST
        follow_up(
            competitions.start(found.pk) if opened else rounds.open(found.pk, printed=printed)
        )

    return done(request, reverse("league", args=[slug]), go, "Seated.")


def _rows(
    wires: Sequence[StandingWire], word: str, looks: Sequence[bool], drawing: Course
) -> list[Row]:
    rows = []
    for at, wire in enumerate(wires):
        before = wires[at - 1] if at else None
        letters = tuple((letter, taken < wire["chips"]) for taken, letter in enumerate(word))
        rows.append(
            Row(
                wire,
                _first(wire),
                _first(before) if before else None,
                before["player"]["name"] if before else "",
                drawing.line(wire["entry"], wire["player"]["name"]),
                letters,
                pips(wire["chips"]),
                looks[at],
            )
        )
    return rows


def _first(wire: StandingWire) -> ReasonWire | None:
    return next(iter(wire["explanation"]), None)


def _tables(drawn: Round, who: Acting, names: dict[int, str]) -> list[dict[str, Any]]:
    """Who sits where; who belongs to the club finds the page of the table too."""
    codes = dict(Place.objects.filter(club=who.club).values_list("number", "code"))
    tables = Table.objects.filter(round=drawn).order_by("number")
    return [
        {
            "number": table.number,
            "state": table.state,
            "deals_done": table.deals_done,
            "deals_planned": table.deals_planned,
            "names": [_name(seat.entry, names) for seat in table.seats.all()],
            "code": codes.get(table.number) if who.role is not None else None,
        }
        for table in tables.prefetch_related("seats__entry__player")
    ]


def _name(entry: Entry, names: dict[int, str]) -> str:
    """As the standings call him; who was withdrawn stands in none."""
    return names.get(entry.number, entry.player.name)


def _results(found: Competition, names: dict[int, str]) -> Sequence[dict[str, Any]]:
    """The newest deals, and how they went."""
    rows = DealResult.objects.filter(table__round__competition=found)
    newest = rows.exclude(state=DealResult.State.VOID).select_related("table__round")
    return [
        {
            "round": row.table.round.number,
            "table": row.table.number,
            "deal": row.deal,
            "state": row.state,
            "version": row.version,
            "words": outcome(row.places, names, row.forfeits),
        }
        for row in newest.order_by("-table__round__number", "table__number", "-deal")[:LAST_RESULTS]
    ]
