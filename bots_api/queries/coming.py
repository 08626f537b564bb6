"""Competitions that take entries: what bots can be entered in, for everybody or for one of them."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.db.models import F

from games.queries.replays import rules_of_card
from games.queries.rules_cards import rules_wire
from league.models import Entry
from league.queries import visible

SHOWN = 20


class Coming(NamedTuple):
    """One of them; `entered`: the bot that is asked for stands in it."""

    id: int
    name: str
    slug: str
    preset: str
    starts_at: datetime | None
    zone: str
    entered: bool


def coming(viewer_id: int | None, bot_player_id: int | None = None) -> list[Coming]:
    """Competitions that a reader may know of and that take entries; what starts first is first."""
    rows = visible.open_for_entries(viewer_id)
    shown = list(rows.order_by(F("starts_at").asc(nulls_last=True), "pk")[:SHOWN])
    standing = (Entry.State.ENTERED, Entry.State.WAITING)
    entries = Entry.objects.filter(competition__in=shown, player=bot_player_id, state__in=standing)
    entered = set(entries.values_list("competition", flat=True))
    return [
        Coming(
            id=row.pk,
            name=row.name,
            slug=row.slug,
            preset=rules_wire(rules_of_card(row.rules.card))["preset"],
            starts_at=row.starts_at,
            zone=row.club.zone,
            entered=row.pk in entered,
        )
        for row in shown
    ]
