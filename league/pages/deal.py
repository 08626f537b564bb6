"""The page of one deal: how it stands, all its versions, and for organisers its corrections.

A correction is a form of two steps. `step=preview` shows what it would do; the same fields with
`step=make` do it. `what` is `correct` (with the places as in tapping.py), `void` or `undo`; `seen`
the version known, `reason` a code, `note` prose that can be erased, `redraw` whether the next round
is drawn anew; `key` makes it safe to send twice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from config.kit.errors import ServiceError
from league.errors import NoDealError, RoundBegunError
from league.formats.reasons import RESULT_REASONS, UNDO
from league.models import Competition
from league.pages import acting, found, keys, tapping
from league.pages.acting import Acting
from league.pages.deal_shown import before_and_after, offers, seatings, versions
from league.pages.outcomes import outcome
from league.pages.refusals import told
from league.queries import deals
from league.queries.deals import Story
from league.services import deal_corrections
from league.services.deal_corrections import Change
from league.services.trials import Preview
from league.services.typed_tables import By, Where
from league.tasks import follow_up


@dataclass(frozen=True)
class Trials:
    """What a change would do with later tables kept, and with the next round drawn anew: None and
    why not where it can't be."""

    kept: Preview
    redrawn: Preview | None
    refusal: str


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def deal(
    request: HttpRequest, slug: str, round_number: int, table_number: int, number: int
) -> HttpResponse:
    """`/l/<slug>/deals/<round>/<table>/<deal>/`"""
    league, who = found.league(request, slug)
    told_ = _story(league, round_number, table_number, number)
    if request.method != "POST":
        return _page(request, league, who, told_)
    by = By(acting.require_organiser(who), organiser=True)
    try:
        wanted = _wanted(request, league, told_)
        if request.POST.get("step") != "make":
            return _page(request, league, who, told_, wanted, _tried(wanted, by))
        _, due = deal_corrections.make(wanted, by, keys.draft(request, by.actor))
        follow_up(due)
        messages.success(request, "Corrected: what was is still readable below.")
    except ServiceError as error:
        messages.error(request, told(error))
    return redirect(reverse("league-deal", args=[slug, round_number, table_number, number]))


def _story(league: Competition, round_number: int, table: int, number: int) -> Story:
    try:
        return deals.story(league, round_number, table, number)
    except NoDealError:
        raise Http404 from None


def _wanted(request: HttpRequest, league: Competition, story: Story) -> Change:
    form = request.POST
    what = form.get("what", "correct")
    reason = UNDO if what == "undo" else form.get("reason", "")
    places = tapping.told(form, story.seats).places if what == "correct" else ()
    return Change(
        Where(league.pk, story.table.round.number, story.table.number, story.deal),
        reason if reason in (UNDO, *RESULT_REASONS) else "other",
        tapping.number(form.get("seen", "")),
        places=places,
        void=what == "void",
        undo=what == "undo",
        redraw="redraw" in form,
        note=form.get("note", "").strip(),
    )


def _tried(wanted: Change, by: By) -> Trials:
    kept = deal_corrections.preview(replace(wanted, redraw=False), by)
    if wanted.void or wanted.undo or not kept.before:
        return Trials(kept, None, "")
    try:
        return Trials(kept, deal_corrections.preview(replace(wanted, redraw=True), by), "")
    except RoundBegunError as error:
        return Trials(kept, None, told(error))


def _page(
    request: HttpRequest,
    league: Competition,
    who: Acting,
    story: Story,
    wanted: Change | None = None,
    tried: Trials | None = None,
) -> HttpResponse:
    context: dict[str, Any] = {
        "league": league,
        "club": league.club,
        "who": who,
        "story": story,
        "words": outcome(story.places, story.names, story.forfeits),
        "contested": outcome(story.contested, story.names) if story.contested is not None else "",
        "forms": {
            "told": tapping.written(story.places),
            "contested": tapping.written(story.contested or []),
        },
        "versions": versions(league, story, who),
        "seats": [{"number": n, "name": story.names[n]} for n in story.seats],
        "ranks": range(1, len(story.seats) + 1),
        "offers": offers(story) if who.organises and wanted is None else [],
        "reasons": RESULT_REASONS,
        "key": keys.fresh(),
    }
    if wanted is not None and tried is not None:
        context |= _trial(story, wanted, tried)
    return render(request, "league/club/deal.html", context)


def _trial(story: Story, wanted: Change, tried: Trials) -> dict[str, Any]:
    redrawn = tried.redrawn
    return {
        "wanted": wanted,
        "becomes": _becomes(story, wanted),
        "form": tapping.written(wanted.places),
        "what": "void" if wanted.void else "undo" if wanted.undo else "correct",
        "changes": before_and_after(tried.kept, story.names),
        "kept": seatings(tried.kept.kept, story.names),
        "redrawn": seatings(redrawn.drawn, story.names) if redrawn else [],
        "redrawn_changes": before_and_after(redrawn, story.names) if redrawn else [],
        "refusal": tried.refusal,
    }


def _becomes(story: Story, wanted: Change) -> object:
    if wanted.void:
        return "it counts nowhere"
    if wanted.undo:
        return "what stood before"
    return outcome(wanted.places, story.names)
