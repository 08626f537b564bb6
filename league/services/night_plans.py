"""Nights planned ahead: a series or one by one, in the club's zone; moved, or called off."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Max

from config.kit import acts, names, receipts
from league.errors import BadNightError, NightClosedError, NotOpenError
from league.formats.night_times import night_at, series
from league.formats.settings import NIGHTLY
from league.models import Competition, Night
from league.queries import nights
from league.queries.locks import lock_competition

State = Night.State
MOST_NIGHTS, MOST_AT_ONCE, MOST_ROUNDS = 200, 60, 12
_TAKES = (Competition.State.OPEN, Competition.State.RUNNING, Competition.State.PAUSED)


@dataclass(frozen=True)
class Plan:
    """Nights to be: the first by a wall time of the club, so many, so many days apart.

    `rounds` 0: as the league's rules say.
    """

    first: datetime
    count: int = 1
    every_days: int = 7
    place: str = ""
    rounds: int = 0
    online: bool = False


def plan(
    competition_id: int, wanted: Plan, actor: str, receipt: receipts.Draft | None = None
) -> list[Night]:
    """Plan nights; a day has one at most. Raises `BadNightError`, `NotOpenError`."""
    place = _checked(wanted)
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return list(nights.of(competition).filter(number__in=outcome["nights"]))
        made = _make(competition, wanted, place)
        numbers = [night.number for night in made]
        acts.log(actor, "nights.planned", f"competition:{competition.pk}", nights=numbers)
        receipts.keep(receipt, {"nights": numbers})
        return made


def move(competition_id: int, number: int, changes: Mapping[str, object], actor: str) -> Night:
    """Change `first` (a wall time), `place`, `rounds` or `online` of a night to come. Raises
    `NightNotFoundError`, `NightClosedError`, `BadNightError`."""
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        night = nights.one(competition, number)
        require(night, State.PLANNED, State.OPEN)
        first = changes.get("first")
        if isinstance(first, datetime):
            night.day, night.starts_at = night_at(first, competition.club.zone)
        place = changes.get("place")
        if isinstance(place, str):
            night.place = _place(place)
        rounds, online = changes.get("rounds"), changes.get("online")
        night.rounds = rounds if isinstance(rounds, int) else night.rounds
        night.online = online if isinstance(online, bool) else night.online
        night.save()
        acts.log(actor, "night.changed", f"competition:{competition.pk}", night=number)
        return night


def call_off(
    competition_id: int, number: int, actor: str, receipt: receipts.Draft | None = None
) -> Night:
    """A night that will not be. Raises `NightNotFoundError`, `NightClosedError`."""
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        night = nights.one(competition, number)
        if receipts.repeated(receipt) is not None or night.state == State.OFF:
            return night
        require(night, State.PLANNED)
        night.state = State.OFF
        night.save(update_fields=["state"])
        acts.log(actor, "night.called_off", f"competition:{competition.pk}", night=number)
        receipts.keep(receipt, {})
        return night


def require(night: Night, *states: State) -> None:
    """Raise `NightClosedError` for a night in another state."""
    if night.state not in states:
        raise NightClosedError(f"The night is {night.state}.", state=night.state)


def _make(competition: Competition, wanted: Plan, place: str) -> list[Night]:
    if competition.state not in _TAKES:
        raise NotOpenError("The league is over.", state=competition.state)
    if competition.format not in NIGHTLY:
        raise BadNightError("This format is not played in nights.", field="format")
    known = nights.of(competition)
    last = known.aggregate(last=Max("number"))["last"] or 0
    taken = set(known.exclude(state=State.OFF).values_list("day", flat=True))
    if last + wanted.count > MOST_NIGHTS:
        raise BadNightError(f"At most {MOST_NIGHTS} nights.", field="count")
    times = series(wanted.first, competition.club.zone, wanted.count, wanted.every_days)
    return Night.objects.bulk_create(
        Night(
            competition=competition,
            number=last + at,
            day=when.day,
            starts_at=when.starts_at,
            place=place,
            rounds=wanted.rounds or competition.chosen.rounds_per_night,
            online=wanted.online,
        )
        for at, when in enumerate((one for one in times if one.day not in taken), start=1)
    )


def _checked(wanted: Plan) -> str:
    if not 1 <= wanted.count <= MOST_AT_ONCE:
        raise BadNightError(f"From 1 to {MOST_AT_ONCE} nights.", field="count")
    if not 1 <= wanted.every_days <= 92:
        raise BadNightError("From 1 to 92 days apart.", field="every_days")
    if not 0 <= wanted.rounds <= MOST_ROUNDS:
        raise BadNightError(f"From 1 to {MOST_ROUNDS} rounds.", field="rounds")
    if not 1970 <= wanted.first.year <= 2200:
        raise BadNightError("There is no such night.", field="first")
    return _place(wanted.place)


def _place(place: str) -> str:
    return names.checked(place, 120) if place.strip() else ""
