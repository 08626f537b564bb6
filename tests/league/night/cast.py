"""Leagues with nights for the tests: people of a club, nights planned, who is there."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from games.models import Player
from league.archive.checking import check
from league.models import Attendance, Competition, Entry, Night, PenaltyTally, Round, Table
from league.services import (
    attendance,
    competitions,
    entries,
    ledger,
    night_plans,
    nights,
    tallies,
    typed,
)
from league.services.attendance import Says
from league.services.night_plans import Plan
from league.services.nights import Where
from league.services.typed_tables import By
from league.services.typed_tables import Where as DealAt
from tests.league import cast
from tests.league.archive.cast import document

State = Attendance.State
ACTOR = "player:1"
MONDAY = datetime(2027, 1, 4, 19)


def league(count: int = 7, **settings: Any) -> Competition:
    """An open league of so many people; three nights of one deal each if nothing else is said."""
    chosen = {
        "entrants": "people",
        "results": "typed",
        "next_round": "by_hand",
        "late_entry": True,
        "deals_per_table": 1,
        "dealer": "loser",
        "nights": 3,
        **settings,
    }
    chosen = {name: value for name, value in chosen.items() if value is not None}
    new = competitions.NewCompetition(
        name="Monday",
        kind=Competition.Kind.LEAGUE,
        format="rounds",  # type: ignore[arg-type]
        settings=chosen,
        secret=cast.SECRET,
    )
    made = competitions.create(cast.club("night-club").pk, new)
    for number in range(1, count + 1):
        entries.enter(made.pk, cast.person(f"Player {number}").pk)
    return again(made)


def again(made: Competition) -> Competition:
    return Competition.objects.select_related("club", "rules").get(pk=made.pk)


def night(made: Competition, first: datetime = MONDAY, **plan: Any) -> Where:
    """One night, planned."""
    (planned,) = night_plans.plan(made.pk, Plan(first, **plan), ACTOR)
    return Where(made.pk, planned.number)


def opened(made: Competition, there: Iterable[int], **plan: Any) -> Where:
    """A night that is open, with these entries checked in."""
    days = Night.objects.filter(competition=made).count()
    where = night(made, MONDAY.replace(day=4 + days), **plan)
    nights.begin(where, ACTOR)
    here(where, *there)
    return where


def player(where: Where, number: int) -> Player:
    return Entry.objects.get(competition=where.competition_id, number=number).plays


def says(where: Where, number: int, state: State, until: datetime | None = None) -> Attendance:
    said = Says(player(where, number).pk, state, "club", until)
    return attendance.say(where.competition_id, where.number, said, ACTOR)


def here(where: Where, *numbers: int) -> None:
    for number in numbers:
        says(where, number, State.HERE)


def playing(where: Where) -> Round:
    return Round.objects.get(competition=where.competition_id, state="playing")


def seats(drawn: Round) -> list[list[int]]:
    tables = Table.objects.filter(round=drawn).order_by("number")
    return [
        list(table.seats.order_by("index").values_list("entry__number", flat=True))
        for table in tables
    ]


def enter(
    where: Where, table: int, deal: int, last: int, played: Iterable[int] | None = None
) -> None:
    """An organiser tells who was last of who sits there."""
    drawn = playing(where)
    rows = Table.objects.get(round=drawn, number=table).seats.filter(away=False)
    numbers = played or list(rows.values_list("entry__number", flat=True))
    others = [number for number in numbers if number != last]
    by = By(cast.person("Keeper").pk, organiser=True)
    typed.enter(DealAt(where.competition_id, drawn.number, table, deal), [others, [last]], by)


def chips(made: Competition) -> dict[int, int]:
    rows = PenaltyTally.objects.filter(competition=made, chips__gt=0)
    return dict(rows.values_list("entry__number", "chips"))


def sound(made: Competition) -> None:
    """The ledger holds, tallies follow from it, and the document checks, draws too."""
    found = again(made)
    assert ledger.first_broken(found) is None
    assert tallies.recompute(found.pk, write=False) == []
    wrong = [v for v in check(json.dumps(document(found))) if not v["ok"]]
    assert wrong == []
