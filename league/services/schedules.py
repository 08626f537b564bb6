"""Schedules: what is due opens, each slot once, whoever and however many look."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

import structlog
from django.db import transaction
from django.db.models import Q

from config.kit import acts, clock, names, receipts
from games.models import Player
from league.errors import BadSettingError, BadTimetableError, ScheduleNotFoundError
from league.formats import slots
from league.formats.slots import Missed, SlotTime, Timetable, Verdict
from league.models import Competition, Schedule, Slot
from league.services import competitions, entries, house_players

log = structlog.get_logger(__name__)

# A schedule that stood still for longer does not make up for what came before.
LOOK_BACK = timedelta(days=31)
SLOTS_AT_ONCE = 100
# They enter in the transaction that opens the slot, which must not take long.
MOST_PLAYERS = 200


@dataclass(frozen=True)
class NewSchedule:
    """What a schedule is made of; `template`: `competitions.template`, and `players`:
    ids, and house bots as "house:lowest"."""

    name: str
    cron: str
    zone: str
    template: Mapping[str, Any]
    missing: str = Schedule.Missing.AFTER
    doubled: str = Schedule.Doubled.FIRST
    missed: str = Schedule.Missed.RUN_ONCE
    since: datetime | None = None
    """From when slots count, now if not given; those in the past are missed ones."""


def create(club_id: int, new: NewSchedule, receipt: receipts.Draft | None = None) -> Schedule:
    """Store a schedule; its first slot is the next one from `since`.

    Raises `BadTimetableError`, `BadNameError`, and as the template is tried out all that
    `competitions.create` does.
    """
    timetable = Timetable(new.cron, new.zone)
    wrong = slots.check(timetable)
    if wrong:
        raise BadTimetableError("That has no slot.", field="zone" if wrong == "zone" else "cron")
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return Schedule.objects.get(pk=outcome["schedule"])
        _try_out(club_id, new)
        since = new.since or clock.now()
        schedule = Schedule.objects.create(
            club_id=club_id,
            name=names.checked(new.name, competitions.LONGEST_NAME),
            cron=new.cron,
            zone=new.zone,
            missing=new.missing,
            doubled=new.doubled,
            missed=new.missed,
            template=dict(new.template),
            since=since,
            next_at=slots.following(_timetable(new), since),
        )
        receipts.keep(receipt, {"schedule": schedule.pk})
        return schedule


def switch(
    schedule_id: int, *, enabled: bool, actor: str, receipt: receipts.Draft | None = None
) -> Schedule:
    """Switch a schedule off, or on again: what passed while it was off was not missed.

    Raises `ScheduleNotFoundError`.
    """
    with transaction.atomic(durable=True):
        rows = Schedule.objects.select_related("club").select_for_update(of=("self",))
        schedule = rows.filter(pk=schedule_id).first()
        if schedule is None:
            raise ScheduleNotFoundError("There is no such schedule.")
        if receipts.repeated(receipt) is not None or schedule.enabled == enabled:
            return schedule
        schedule.enabled = enabled
        if enabled:
            schedule.since = clock.now()
            schedule.next_at = slots.following(_timetable(schedule), schedule.since)
        schedule.save(update_fields=["enabled", "since", "next_at"])
        verb = "schedule.enabled" if enabled else "schedule.disabled"
        acts.log(actor, verb, f"schedule:{schedule.pk}")
        receipts.keep(receipt, {})
        return schedule


def run_due() -> int:
    """Open what is due; returns how many competitions were opened.

    One transaction for each schedule, so that one that fails keeps no other from its slot.
    """
    now = clock.now()
    due = Schedule.objects.filter(Q(next_at__lte=now) | Q(next_at=None), enabled=True)
    opened = 0
    for pk in due.order_by("next_at", "pk").values_list("pk", flat=True)[:SLOTS_AT_ONCE]:
        try:
            opened += len(_run(pk, now))
        except Exception:
            log.exception("schedule_failed", schedule=pk)
    return opened


def _run(schedule_id: int, now: datetime) -> list[Competition]:
    with transaction.atomic(durable=True):
        rows = Schedule.objects.select_for_update().filter(pk=schedule_id, enabled=True)
        schedule = rows.first()
        if schedule is None or (schedule.next_at is not None and schedule.next_at > now):
            return []  # another beat was here first
        due = _due(schedule, now)
        verdicts = slots.judge(due, now, Missed(schedule.missed))
        opened = [_open(schedule, verdict) for verdict in verdicts]
        # A full batch may have left some behind: go on from its last slot.
        schedule.since = due[-1].due_at if len(due) == SLOTS_AT_ONCE else now
        schedule.next_at = slots.following(_timetable(schedule), schedule.since)
        schedule.save(update_fields=["since", "next_at"])
        return [competition for competition in opened if competition is not None]


def _due(schedule: Schedule, now: datetime) -> Sequence[SlotTime]:
    since = max(schedule.since, now - LOOK_BACK)
    times = slots.between(_timetable(schedule), since, now)
    if schedule.missed == Schedule.Missed.RUN_ALL:
        return list(islice(times, SLOTS_AT_ONCE))
    return list(times)[-SLOTS_AT_ONCE + 1 :]


def _open(schedule: Schedule, verdict: Verdict) -> Competition | None:
    time = verdict.slot
    slot, new = Slot.objects.get_or_create(
        schedule=schedule,
        local=time.local,
        fold=time.fold,
        defaults={"due_at": time.due_at, "skipped": not verdict.opens},
    )
    if not new or not verdict.opens:
        return None
    slot.competition = _from_template(schedule)
    slot.save(update_fields=["competition"])
    return slot.competition


def _from_template(schedule: Schedule) -> Competition:
    template = dict(schedule.template)
    players = template.pop("players", [])
    new = competitions.template({"name": schedule.name, **template})
    competition = competitions.create_inside(schedule.club_id, new)
    # The order of the template numbers the entries: one secret gives one tournament.
    for player in _players(players):
        entries.enter_or_wait_inside(competition, player)
    return competition


def _players(refs: Sequence[int | str]) -> list[Player]:
    """Players by id, and house bots by "house:lowest": the second of them is its second player.

    An id that is gone since the schedule was made is left out.
    """
    known = Player.objects.in_bulk([ref for ref in refs if isinstance(ref, int)])
    seen: Counter[str] = Counter()
    found = []
    for ref in refs:
        if isinstance(ref, str):
            seen[ref] += 1
            found.append(house_players.numbered(ref.removeprefix("house:"), seen[ref]))
        elif ref in known:
            found.append(known[ref])
    return found


def _try_out(club_id: int, new: NewSchedule) -> None:
    players = new.template.get("players", [])
    if not isinstance(players, list) or not all(type(ref) in (int, str) for ref in players):
        raise BadSettingError("A list of player ids and of “house:NAME”.", field="players")
    if len(players) > MOST_PLAYERS:
        raise BadSettingError(f"At most {MOST_PLAYERS} enter by themselves.", field="players")
    if len(_players(players)) != len(players):
        raise BadSettingError("Unknown players.", field="players")
    trial = transaction.savepoint()
    _from_template(
        Schedule(club_id=club_id, name=new.name, template=dict(new.template), cron=new.cron)
    )
    transaction.savepoint_rollback(trial)


def _timetable(schedule: Schedule | NewSchedule) -> Timetable:
    return Timetable(
        schedule.cron,
        schedule.zone,
        slots.Missing(schedule.missing),
        slots.Doubled(schedule.doubled),
    )
