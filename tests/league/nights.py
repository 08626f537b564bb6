"""League nights of people whose results are typed in."""

from typing import Any

from games.models import Player
from league.models import Competition
from league.services import competitions, entries
from tests.league import cast


def people(count: int, first: int = 1) -> list[Player]:
    return [cast.person(f"Player {number}") for number in range(first, first + count)]


def night(count: int = 4, format: str = "rounds", club: str = "", **settings: Any) -> Competition:
    """A night that has started: two rounds of two deals, drawn by hand, if nothing else is said.

    `club` is the slug of a new one.
    """
    rounds = {"rounds": 2} if format == "rounds" else {}
    new = competitions.NewCompetition(
        name="Monday",
        kind=Competition.Kind.LEAGUE,
        format=format,  # type: ignore[arg-type]
        settings={
            "entrants": "people",
            "results": "typed",
            "next_round": "by_hand",
            "deals_per_table": 2,
            **rounds,
            **settings,
        },
        secret=cast.SECRET,
    )
    competition = competitions.create(cast.club(club or f"club-{format}".replace("_", "-")).pk, new)
    for player in people(count):
        entries.enter(competition.pk, player.pk)
    competitions.start(competition.pk)
    return Competition.objects.select_related("club", "rules").get(pk=competition.pk)
