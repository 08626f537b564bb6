"""What the pages show of a competition: the dashboard document, and what only eyes need."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from league.formats.registry import FORMATS
from league.models import Competition
from league.pages.bracket import Drawing, drawing, fits
from league.queries import brackets
from league.queries.dashboards import dashboard
from league.queries.wires import DashboardWire, ScheduleWire, StandingWire

MOST_PIPS = 12


@dataclass(frozen=True)
class Time:
    """A moment for people: ISO for machines, words in its zone with the offset of that date."""

    iso: str
    words: str


@dataclass(frozen=True)
class StandingRow:
    """A row of the standings, with its chips as dots."""

    wire: StandingWire
    pips: str


@dataclass(frozen=True)
class Shown:
    """A competition on a page."""

    slug: str
    data: DashboardWire
    bracket: Drawing | None
    percent: int
    pace: str
    standings: tuple[StandingRow, ...]
    starts: Time | None
    next_slot: Time | None
    over: bool
    says: str


def shown(competition: Competition) -> Shown:
    """Read all that a page of a competition shows; `club` and `rules` selected along."""
    data = dashboard(competition)
    settings = competition.chosen
    entries = data["progress"]["entries"]
    planned = FORMATS[competition.format].planned(entries, settings)
    done, of = data["progress"]["games_done"], data["progress"]["games_planned"]
    zone, winner = competition.club.zone, data["winner"]
    slot = data["next_slot"]
    rounds = brackets.rounds(competition) if fits(planned) else []
    return Shown(
        slug=competition.slug,
        data=data,
        bracket=drawing(rounds, planned, winner["name"] if winner else None),
        percent=min(100, 100 * done // of) if of else 0,
        pace=_pace(data, zone),
        standings=tuple(StandingRow(row, pips(row["chips"])) for row in data["standings"]),
        starts=time(competition.starts_at, zone),
        next_slot=slot_time(slot) if slot else None,
        over=competition.state in (Competition.State.FINISHED, Competition.State.VOID),
        says=_says(data),
    )


def pips(chips: int) -> str:
    """Chips as dots, none if there are too many to count at a glance."""
    return "●" * chips if chips <= MOST_PIPS else ""


def _pace(data: DashboardWire, zone: str) -> str:
    """How fast it goes, and until when at that pace; "" where nothing tells."""
    rate = data["progress"]["games_a_minute"]
    ends = time(data["progress"]["ends_at"], zone)
    if rate is None or ends is None:
        return ""
    return f"{rate:g} a minute, over about {ends.words}"


def slot_time(schedule: ScheduleWire) -> Time | None:
    """The next slot of a schedule in its own zone."""
    return time(schedule["next_at"], schedule["zone"])


def time(moment: datetime | None, zone: str) -> Time | None:
    """A moment in a zone, None for none."""
    if moment is None:
        return None
    local = moment.astimezone(ZoneInfo(zone))
    offset = local.strftime("%z")
    words = f"{local:%a} {local.day} {local:%b %H:%M} (UTC{offset[:3]}:{offset[3:]})"
    return Time(moment.isoformat(), words)


def _says(data: DashboardWire) -> str:
    """The state in one sentence, which a screen reader is told when it changes."""
    state = data["competition"]["state"]
    winner: Any = data["winner"]
    if winner:
        return f"{winner['name']} has won."
    if state == Competition.State.RUNNING and data["rounds"]:
        current = data["rounds"][-1]
        left = len(data["live"])
        tables = "1 table is" if left == 1 else f"{left} tables are"
        return f"Round {current['number']}: {tables} being played."
    if state == Competition.State.OPEN:
        return f"{data['progress']['entries']} have entered."
    return "It was called off." if state == Competition.State.VOID else ""
