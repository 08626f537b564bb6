"""Competitions that were played, and their documents."""

from __future__ import annotations

import json
from typing import Any

from league.api import writing
from league.models import Competition
from league.services import competitions, entries
from league.services.competitions import NewCompetition
from tests.league import cast


def played(format: str = "knockout", people: int = 7, **settings: Any) -> Competition:
    """A competition of house bots, to its end."""
    new = NewCompetition(
        name="Event",
        format=format,  # type: ignore[arg-type]
        settings={"table_size": 4, "deals_per_table": 2, **settings},
        secret=cast.SECRET,
    )
    competition = competitions.create(
        cast.club(f"club-{format}-{people}".replace("_", "-")).pk, new
    )
    for player in cast.house_bots(people):
        entries.enter(competition.pk, player.pk)
    competitions.start(competition.pk)
    cast.play_all()
    return Competition.objects.select_related("club", "rules").get(pk=competition.pk)


def document(competition: Competition) -> dict[str, Any]:
    """Its export, read again."""
    found = Competition.objects.select_related("club", "rules").get(pk=competition.pk)
    wire: dict[str, Any] = json.loads(b"".join(writing.pieces(found)))
    return wire
