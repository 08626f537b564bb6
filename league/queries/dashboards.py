"""A competition in one document: what dashboards, pages and the API show of it."""

from django.db.models import BigIntegerField, Count, Q, Sum
from django.db.models.functions import Greatest

from games.models import Player, Seat
from league.formats.registry import FORMATS
from league.models import Competition, Entry, PenaltyTally, Round, Schedule, Table
from league.queries import brackets, documents
from league.queries.disputes import disputes
from league.queries.pace import pace
from league.queries.standings import standings
from league.queries.wires import (
    DashboardWire,
    FaultsWire,
    PlayerWire,
    ProgressWire,
    ScheduleWire,
)

# A dashboard is asked for again and again: older rounds have an address of their own.
NEWEST = 4


def dashboard(competition: Competition) -> DashboardWire:
    """All of it, in a number of queries that does not depend on its size."""
    rounds = brackets.rounds(competition, NEWEST)
    ranked = standings(competition)
    tallies = PenaltyTally.objects.filter(competition=competition)
    live = [t for r in rounds for t in r["tables"] if t["state"] in ("waiting", "playing")]
    return {
        "competition": documents.competition(competition),
        "progress": progress(competition),
        "rounds": rounds,
        "standings": documents.standings(ranked),
        "tallies": [
            documents.tally(row)
            for row in tallies.select_related("entry", "player").order_by("entry__number")
        ],
        "live": live,
        "faults": faults(competition),
        "disputes": disputes(competition),
        "next_slot": next_slot(competition),
        "winner": _winner(competition),
        "ledger_seq": competition.ledger_seq,
    }


def progress(competition: Competition) -> ProgressWire:
    """Rounds and deals, done of planned, and the pace. Four queries."""
    states = [Entry.State.ENTERED, Entry.State.OUT]
    counted = Entry.objects.filter(competition=competition, state__in=states).aggregate(
        entries=Count("pk"), still_in=Count("pk", filter=Q(state=Entry.State.ENTERED))
    )
    settings = competition.chosen
    sizes = FORMATS[competition.format].planned(counted["entries"], settings)
    drawn = Round.objects.filter(competition=competition).aggregate(
        all=Count("pk"), closed=Count("pk", filter=Q(state=Round.State.CLOSED))
    )
    # Sudden deaths come on top of what was planned.
    more = Greatest("deals_planned", "deals_done", output_field=BigIntegerField())
    games = Table.objects.filter(round__competition=competition).aggregate(
        done=Sum("deals_done", default=0), planned=Sum(more, default=0)
    )
    coming = sum(s > 1 for each in sizes[drawn["all"] :] for s in each)
    planned = games["planned"] + settings.deals_per_table * coming
    speed = pace(competition, planned - games["done"])
    return {
        "rounds": drawn["closed"],
        "rounds_planned": max(len(sizes), drawn["all"]),
        "games_done": games["done"],
        "games_planned": planned,
        "games_a_minute": speed.games_a_minute,
        "ends_at": speed.ends_at,
        "still_in": counted["still_in"],
        "entries": counted["entries"],
    }


def faults(competition: Competition) -> list[FaultsWire]:
    """Faults by player over all games of the competition, most first."""
    seats = Seat.objects.filter(game__competition_ref=competition.pk, player__isnull=False)
    marked = seats.filter(Q(faults__gt=0) | Q(stand_in_at__isnull=False)).values("player")
    counted = marked.annotate(
        total=Sum("faults"), stand_ins=Count("pk", filter=Q(stand_in_at__isnull=False))
    )
    rows = list(counted.order_by("-total", "player"))
    players = Player.objects.in_bulk([row["player"] for row in rows])
    return [
        {
            "player": documents.player(players[row["player"]]),
            "faults": row["total"],
            "stand_ins": row["stand_ins"],
        }
        for row in rows
    ]


def next_slot(competition: Competition) -> ScheduleWire | None:
    """The club's schedule that opens something next."""
    coming = Schedule.objects.filter(
        club_id=competition.club_id, enabled=True, next_at__isnull=False
    )
    row = coming.select_related("club").order_by("next_at").first()
    return documents.schedule(row) if row else None


def _winner(competition: Competition) -> PlayerWire | None:
    if competition.state != Competition.State.FINISHED:
        return None
    first = Entry.objects.filter(competition=competition, place=1).select_related("player").first()
    return documents.player(first.player) if first else None
