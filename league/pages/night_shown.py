"""What the page of a night shows: who comes, who sits where, who deals, what can be done now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from config.kit import clock
from games.models import Game
from games.services.endings import LIVE
from league.formats.seat_reasons import reasons
from league.models import (
    Attendance,
    Competition,
    DealResult,
    Entry,
    Membership,
    Night,
    Place,
    Round,
    Table,
    TableSeat,
)
from league.pages.acting import Acting
from league.pages.shown import time
from league.queries import dealers, nights
from league.services import night_tables

State = Attendance.State


@dataclass(frozen=True)
class Person:
    """Somebody of the league on this night."""

    number: int
    player_id: int
    name: str
    state: str
    until: str
    guest: bool


def shown(league: Competition, who: Acting, night: Night | None, me: int | None) -> dict[str, Any]:
    """Everything for the template; `me` is the player for whom this browser speaks."""
    zone = league.club.zone
    planned = list(nights.of(league).exclude(state=Night.State.OFF))
    context: dict[str, Any] = {
        "league": league,
        "club": league.club,
        "who": who,
        "night": night,
        "organises": who.organises,
        "nights": [{"night": one, "when": time(one.starts_at, zone)} for one in planned],
        "running": league.state == Competition.State.RUNNING,
        "over": league.state in (Competition.State.FINISHED, Competition.State.VOID),
    }
    drawn = _round(league)
    context["round"] = drawn
    if drawn is not None:
        context |= _seated(league, drawn, who)
    if night is None:
        return context
    people = _people(league, night, zone)
    mine = next((one for one in people if one.player_id == me), None)
    is_open = night.state == Night.State.OPEN
    played = nights.rounds_of(night)
    return context | {
        "when": time(night.starts_at, zone),
        "open": is_open,
        "planned": night.state == Night.State.PLANNED,
        "people": people,
        "me": mine,
        "may_say": who.role is not None or mine is not None,
        "here": [one for one in people if one.state == State.HERE],
        "expected": [one for one in people if one.state in ("", State.COMING, State.LATE)],
        "gone": [one for one in people if one.state in (State.LEFT, State.ABSENT)],
        "coming": sum(one.state == State.COMING for one in people),
        "members": _members(league) if who.organises and league.state != "finished" else [],
        "rounds_played": len(played),
        "may_seat": is_open and drawn is None and context["running"],
        "more_rounds": len(played) < night.rounds,
        "timer": _timer(night),
    }


def _round(league: Competition) -> Round | None:
    playing = Round.objects.filter(competition=league, state=Round.State.PLAYING)
    drawn = playing.select_related("stage").first()
    if drawn is not None:
        drawn.competition = league
    return drawn


def _people(league: Competition, night: Night, zone: str) -> list[Person]:
    said = {row.entry_id: row for row in Attendance.objects.filter(night=night)}
    entries = Entry.objects.filter(competition=league, state=Entry.State.ENTERED)
    only_once = set(
        Attendance.objects.filter(night__competition=league, guest=True).values_list(
            "entry_id", flat=True
        )
    )
    rows = entries.select_related("player", "substitute").order_by("player__name", "number")
    return [
        _person(row, said.get(row.pk), zone, guest=row.pk in only_once)
        for row in rows
        if row.pk in said or row.pk not in only_once
    ]


def _person(entry: Entry, said: Attendance | None, zone: str, *, guest: bool) -> Person:
    until = time(said.until, zone) if said is not None else None
    clock_time = until.words.split(" (")[0].rsplit(" ", 1)[-1] if until else ""
    state = said.state if said is not None else ""
    return Person(entry.number, entry.plays.pk, entry.plays.name, state, clock_time, guest)


def _members(league: Competition) -> list[dict[str, Any]]:
    """Members of the club who have not entered."""
    entered = Entry.objects.filter(competition=league).values("player")
    rows = Membership.objects.filter(club=league.club, player__club_link=None)
    left = rows.exclude(player__in=entered).select_related("player").order_by("player__name")
    return [{"id": row.player_id, "name": row.player.name} for row in left[:100]]


def _seated(league: Competition, drawn: Round, who: Acting) -> dict[str, Any]:
    tables = list(Table.objects.filter(round=drawn).order_by("number"))
    seats: dict[int, list[TableSeat]] = {table.pk: [] for table in tables}
    sitting = TableSeat.objects.filter(round=drawn).select_related(
        "entry__player", "entry__substitute"
    )
    for seat in sitting.order_by("index"):
        seats[seat.table_id].append(seat)
    told: dict[int, list[DealResult]] = {}
    for row in DealResult.objects.filter(table__round=drawn).order_by("deal"):
        told.setdefault(row.table_id, []).append(row)
    codes = dict(Place.objects.filter(club=league.club).values_list("number", "code"))
    games = Game.objects.filter(table_ref__in=[t.pk for t in tables], state__in=LIVE)
    playing = {game.table_ref: game.pk for game in games}
    begun = bool(told) or any(table.deals_done for table in tables)
    return {
        "tables": [
            _table(league, table, seats[table.pk], told.get(table.pk, []), codes.get(table.number))
            | {"game": playing.get(table.pk)}
            for table in tables
        ],
        "reasons": reasons(drawn.draw, [len(seats[table.pk]) for table in tables]),
        "seated": [
            {"number": seat.entry.number, "name": seat.entry.plays.name}
            for rows in seats.values()
            for seat in rows
        ],
        "playoff": "tied" in drawn.draw,
        "may_redraw": not begun and "tied" not in drawn.draw,
        "left_open": night_tables.left_open(drawn) if who.organises else [],
    }


def _table(
    league: Competition,
    table: Table,
    seats: Sequence[TableSeat],
    told: Sequence[DealResult],
    code: str | None,
) -> dict[str, Any]:
    deals = dealers.told_by(list(told))
    dealer = dealers.dealer(table, list(seats), deals, league.chosen)
    numbers = range(1, table.deals_planned + 1)
    deal = next((one for one in numbers if one not in deals), None)
    typed = table.kind == Table.Kind.TYPED
    return {
        "number": table.number,
        "state": table.state,
        "typed": typed,
        "deals_planned": table.deals_planned,
        "deals_done": table.deals_done,
        "deal": deal,
        "code": code,
        "dealer": dealer if typed else None,
        "ask_dealer": typed and table.state == "playing" and deal is not None and dealer is None,
        "may_switch": not told and not table.deals_done and table.state == "playing",
        "few": sum(not seat.away for seat in seats) < 2,
        "seats": [
            {
                "number": seat.entry.number,
                "player": seat.entry.plays.pk,
                "name": seat.entry.plays.name,
                "away": seat.away,
                "deals": typed and seat.entry.number == dealer,
            }
            for seat in seats
        ],
    }


def _timer(night: Night) -> dict[str, Any] | None:
    """The clock: seconds left, and whether it runs."""
    if night.timer_ends_at is not None:
        left = max(0, round((night.timer_ends_at - clock.now()).total_seconds()))
    elif night.timer_left_s is not None:
        left = night.timer_left_s
    else:
        return None
    minutes, seconds = divmod(left, 60)
    return {
        "left": left,
        "words": f"{minutes}:{seconds:02}",
        "runs": night.timer_ends_at is not None,
    }
