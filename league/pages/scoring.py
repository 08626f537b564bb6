"""The scorekeeper's form: a whole round, or one table of it, on one page and by keyboard alone.

Each deal is a cell `deal-<table>-<deal>` in the shorthand of formats/shorthand.py, beside it the
version that was seen (`seen-<table>-<deal>`) and what it held (`was-<table>-<deal>`): a cell that
says what it held is left alone, an emptied one too. A deal that does not count yet has an empty
cell: what is typed confirms or rules it. Tab goes on, Enter saves all. What is refused keeps what
was typed, with the reason beside it; the rest is saved. `key` makes it safe to send twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from config.kit.errors import ServiceError
from league.errors import ResultChangedError
from league.formats import shorthand
from league.formats.saying import SayingError
from league.models import Competition
from league.pages import found, keys, tapping
from league.pages.outcomes import outcome
from league.pages.refusals import told
from league.queries.round_tables import RoundTables, round_tables
from league.queries.sitting import Sitting
from league.services import round_entry
from league.services.round_entry import Line
from league.services.typed_tables import By
from league.tasks import follow_up

At = tuple[int, int]


@dataclass(frozen=True)
class Cell:
    """A deal of a table: what is typed there, what stands there, and what is wrong with it."""

    name: str
    deal: int
    typed: str
    was: str
    seen: int
    state: str
    stands: SafeString | str
    error: str = ""
    first: bool = False


@dataclass(frozen=True)
class Reading:
    """What was typed, what of it is to be entered, and what is no deal, all by table and deal."""

    typed: Mapping[At, str]
    lines: tuple[Line, ...]
    wrong: Mapping[At, str]


NOTHING = Reading({}, (), {})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest, slug: str, round_number: int | None = None) -> HttpResponse:
    """`/l/<slug>/enter/`, `/l/<slug>/enter/<round>/`; `?table=` shows one table alone."""
    league, _, by = found.keeper(request, slug)
    drawn = round_tables(league, round_number)
    if drawn is None:
        raise Http404
    tables = _asked(request, drawn)
    if request.method != "POST":
        return _page(request, league, drawn, tables, NOTHING)
    reading = _read(request.POST, tables)
    receipt = keys.draft(request, f"player:{by}") if not reading.wrong else None
    outcome_ = round_entry.enter(
        league.pk, drawn.round.number, reading.lines, By(by, organiser=True), receipt
    )
    follow_up(outcome_.due)
    if not reading.wrong and not outcome_.refused:
        messages.success(request, _said(outcome_.changed))
        return redirect(_address(request, league, drawn))
    refused = {at: _refusal(error) for at, error in outcome_.refused.items()}
    again = round_tables(league, drawn.round.number) or drawn
    reading = Reading(reading.typed, (), {**reading.wrong, **refused})
    return _page(request, league, again, _asked(request, again), reading, outcome_.changed)


def _asked(request: HttpRequest, drawn: RoundTables) -> list[Sitting]:
    number = tapping.number(request.GET.get("table", ""))
    return [one for one in drawn.tables if number in (0, one.table.number)]


def _read(form: QueryDict, tables: list[Sitting]) -> Reading:
    typed: dict[At, str] = {}
    lines: list[Line] = []
    wrong: dict[At, str] = {}
    for sitting in tables:
        for deal in range(1, sitting.table.deals_planned + 1):
            at = (sitting.table.number, deal)
            name = "{}-{}".format(*at)
            said = str(form.get(f"deal-{name}", "")).strip()[:200]
            if not said or said == form.get(f"was-{name}", ""):
                continue
            typed[at] = said
            try:
                known = shorthand.read(said, sitting.names)
            except SayingError as error:
                wrong[at] = str(error)
                continue
            seen = tapping.number(form.get(f"seen-{name}", "")) or None
            lines.append(Line(*at, known.places, seen, known.forfeits))
    return Reading(typed, tuple(lines), wrong)


def _page(
    request: HttpRequest,
    league: Competition,
    drawn: RoundTables,
    tables: list[Sitting],
    reading: Reading,
    changed: int = 0,
) -> HttpResponse:
    shown = [(one, _cells(one, reading)) for one in tables]
    first = _first([cell for _, cells in shown for cell in cells])
    context: dict[str, Any] = {
        "league": league,
        "club": league.club,
        "round": drawn.round,
        "tables": [
            {
                "number": one.table.number,
                "seats": list(one.names.values()),
                "cells": cells,
            }
            for one, cells in shown
        ],
        "first": first,
        "wrong": len(reading.wrong),
        "saved": _said(changed) if changed else "",
        "key": keys.fresh(),
        "alone": len(tables) < len(drawn.tables),
    }
    status = 422 if reading.wrong else 200
    return render(request, "league/club/enter.html", context, status=status)


def _cells(sitting: Sitting, reading: Reading) -> list[Cell]:
    return [_cell(sitting, n, reading) for n in range(1, sitting.table.deals_planned + 1)]


def _cell(sitting: Sitting, deal: int, reading: Reading) -> Cell:
    at = (sitting.table.number, deal)
    row = {one.deal: one for one in sitting.results}.get(deal)
    stands = row is not None and not (row.state == row.State.VOID and not row.places)
    counts = row is not None and row.state == row.State.CONFIRMED
    was = shorthand.written(row.places, sitting.numbers, row.forfeits) if row and counts else ""
    error = reading.wrong.get(at, "")
    return Cell(
        name="{}-{}".format(*at),
        deal=deal,
        typed=reading.typed[at] if error else was,
        was=was,
        seen=row.version if row is not None else 0,
        state=row.state if row is not None and stands else "",
        stands=outcome(row.places, sitting.names, row.forfeits) if row and stands else "",
        error=error,
    )


def _first(cells: list[Cell]) -> str:
    """Where typing begins: at the first error, else at the first empty cell."""
    wrong = [cell.name for cell in cells if cell.error]
    empty = [cell.name for cell in cells if not cell.was]
    return next(iter([*wrong, *empty]), "")


def _refusal(error: ServiceError) -> str:
    if isinstance(error, ResultChangedError):
        return "Something else stands there meanwhile: save again to overrule it."
    return told(error)


def _said(changed: int) -> str:
    if not changed:
        return "That is what stands there."
    return "Saved: one deal." if changed == 1 else f"Saved: {changed} deals."


def _address(request: HttpRequest, league: Competition, drawn: RoundTables) -> str:
    table = tapping.number(request.GET.get("table", ""))
    address = reverse("league-enter-round", args=[league.slug, drawn.round.number])
    return f"{address}?table={table}" if table else address
