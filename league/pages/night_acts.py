"""What the forms of a night's page do, by the name in `do`; each says what has been done.

Organisers do all of it; whoever belongs to the club says for himself whether he comes, and that he
is there. Others find nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, time
from typing import Final

from django.http import Http404, HttpRequest
from django.utils.dateparse import parse_datetime, parse_time

from config.kit import receipts
from league.errors import BadNightError
from league.formats.night_times import near
from league.models import Attendance, Competition, Night, Table
from league.pages import keys
from league.pages.acting import Acting, require_organiser
from league.pages.tapping import number as number_in
from league.queries.nights import current
from league.services import attendance, night_plans, night_seats, night_tables, nights, timers
from league.services.attendance import Says
from league.services.night_plans import Plan
from league.services.nights import Where
from league.services.typed_tables import Where as TableWhere
from league.tasks import follow_up

State = Attendance.State


@dataclass(frozen=True)
class Asked:
    """A form that was sent: in which league, by whom, on which night, for which player."""

    request: HttpRequest
    league: Competition
    who: Acting
    night: Night | None
    me: int | None

    @property
    def by(self) -> int:
        """The organiser's player; 404 for everybody else."""
        return require_organiser(self.who)

    @property
    def actor(self) -> str:
        """The organiser as the act log names him."""
        return f"player:{self.by}"

    @property
    def at(self) -> Where:
        """The night; 404 where there is none."""
        if self.night is None:
            raise Http404
        return Where(self.league.pk, self.night.number)

    @property
    def force(self) -> bool:
        """Whether what is open may stay so."""
        return "force" in self.request.POST

    def text(self, name: str) -> str:
        """A field."""
        return str(self.request.POST.get(name, ""))[:200]

    def number(self, name: str) -> int:
        """A field that is a whole number, 0 if it is none."""
        return number_in(self.text(name))

    def receipt(self, actor: str = "") -> receipts.Draft | None:
        """What makes it safe to send again."""
        return keys.draft(self.request, actor or self.actor)

    def table(self) -> TableWhere:
        """A table of the round that is played."""
        return TableWhere(self.league.pk, self.number("round"), self.number("table"), 1)


def act(asked: Asked) -> str:
    """Do it and say so. Raises what the services do."""
    if not asked.who.organises and asked.text("do") not in ("say",):
        raise Http404
    does = _DOES.get(asked.text("do"))
    if does is None:
        raise Http404
    return does(asked)


def _plan(asked: Asked) -> str:
    first = parse_datetime(asked.text("first")) if asked.text("first") else None
    if first is None or first.tzinfo is not None:
        raise BadNightError("Say when it begins.", field="first")
    wanted = Plan(
        first,
        asked.number("count") or 1,
        asked.number("every_days") or 7,
        asked.text("place"),
        asked.number("rounds"),
        "online" in asked.request.POST,
    )
    made = night_plans.plan(asked.league.pk, wanted, asked.actor, asked.receipt())
    return "Planned: 1 night." if len(made) == 1 else f"Planned: {len(made)} nights."


def _call_off(asked: Asked) -> str:
    night_plans.call_off(*asked.at, asked.actor, asked.receipt())
    return "Called off."


def _open(asked: Asked) -> str:
    follow_up(nights.begin(asked.at, asked.actor, asked.receipt()))
    return "The night is open: check in who is there."


def _say(asked: Asked) -> str:
    """Coming, late or absent, here or gone: of oneself, or by an organiser of anybody."""
    player = asked.number("player")
    own = player == asked.me and not asked.who.organises
    if not player or not (own or asked.who.organises):
        raise Http404
    state = asked.text("state")
    if state not in State.values:
        raise Http404
    actor = asked.actor if asked.who.organises else f"player:{player}"
    said = Says(player, State(state), "self" if own else "club", _until(asked))
    attendance.say(*asked.at, said, actor, asked.receipt(actor))
    return _SAID[State(state)]


def _until(asked: Asked) -> datetime | None:
    if not asked.text("until") or asked.night is None:
        return None
    try:
        clock = parse_time(asked.text("until"))
    except ValueError:
        clock = None
    if not isinstance(clock, time):
        raise BadNightError("A time as 19:45.", field="until")
    return near(asked.night.starts_at, clock, asked.league.club.zone)


def _all_here(asked: Asked) -> str:
    here = attendance.all_here(*asked.at, asked.actor, asked.receipt())
    return f"{here} checked in."


def _guest(asked: Asked) -> str:
    added = attendance.add_guest(*asked.at, asked.text("name"), asked.by, asked.receipt())
    return f"{added.entry.player.name} is there."


def _member(asked: Asked) -> str:
    player = asked.number("player")
    added = attendance.add_member(*asked.at, player, asked.by, asked.receipt())
    return f"{added.entry.player.name} has entered."


def _seat(asked: Asked) -> str:
    follow_up(nights.seat(asked.at, asked.actor, asked.receipt()))
    return "Seated."


def _redraw(asked: Asked) -> str:
    follow_up(nights.seat_anew(asked.at, asked.actor, asked.receipt()))
    return "Drawn anew."


def _move(asked: Asked) -> str:
    league, entry, table = asked.league.pk, asked.number("entry"), asked.number("table")
    night_seats.move(league, entry, table, asked.actor, asked.receipt())
    return f"Now at table {table}."


def _swap(asked: Asked) -> str:
    one, other = asked.number("entry"), asked.number("with")
    night_seats.swap(asked.league.pk, one, other, asked.actor, asked.receipt())
    return "Swapped."


def _sit_out(asked: Asked) -> str:
    entry, away = asked.number("entry"), "back" not in asked.request.POST
    receipt = asked.receipt()
    night_seats.sit_out(asked.league.pk, entry, asked.actor, away=away, receipt=receipt)
    return "Sits out from the next deal on." if away else "Plays from the next deal on."


def _dealer(asked: Asked) -> str:
    night_seats.set_dealer(asked.table(), asked.number("entry"), asked.actor, asked.receipt())
    return "The dealer is set."


def _kind(asked: Asked) -> str:
    kind = Table.Kind.EVENTED if "online" in asked.request.POST else Table.Kind.TYPED
    _, due = night_tables.play_as(asked.table(), kind, asked.actor, asked.receipt())
    follow_up(due)
    return "It is played on the site." if "online" in asked.request.POST else "It is typed in."


def _timer(asked: Asked) -> str:
    if "stop" in asked.request.POST:
        timers.stop(*asked.at, asked.actor, asked.receipt())
        return "The clock stands."
    minutes = None if "go_on" in asked.request.POST else asked.number("minutes")
    timers.start(*asked.at, minutes, asked.actor, asked.receipt())
    return "The clock runs."


def _end_round(asked: Asked) -> str:
    draft = asked.receipt()
    follow_up(nights.end_round(asked.at, asked.actor, force=asked.force, receipt=draft))
    return "The round is over."


def _close(asked: Asked) -> str:
    draft = asked.receipt()
    follow_up(nights.close(asked.at, asked.actor, force=asked.force, receipt=draft))
    return "The night is closed."


def _end_season(asked: Asked) -> str:
    draft, league = asked.receipt(), asked.league.pk
    follow_up(nights.end_season(league, asked.actor, force=asked.force, receipt=draft))
    return "The season is over." if current(asked.league) else "Over."


_SAID: Final[Mapping[State, str]] = {
    State.COMING: "Noted: coming.",
    State.LATE: "Noted: late, the seat is kept.",
    State.ABSENT: "Noted: not coming.",
    State.HERE: "Checked in.",
    State.LEFT: "Has left.",
}
_DOES: Final[Mapping[str, Callable[[Asked], str]]] = {
    "plan": _plan,
    "call_off": _call_off,
    "open": _open,
    "say": _say,
    "all_here": _all_here,
    "guest": _guest,
    "member": _member,
    "seat": _seat,
    "redraw": _redraw,
    "move": _move,
    "swap": _swap,
    "sit_out": _sit_out,
    "dealer": _dealer,
    "kind": _kind,
    "timer": _timer,
    "end_round": _end_round,
    "close": _close,
    "end_season": _end_season,
}
