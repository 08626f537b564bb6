"""Clubs, competitions, entries and schedules, as they leave the API."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers as s

from games.api.shapes import PlayerShape, RulesShape
from league.models import Competition, Entry, Format, Schedule

Shape = s.Serializer[Any]


class ClubShape(Shape):
    """A club."""

    slug = s.CharField()
    name = s.CharField()
    private = s.BooleanField()
    zone = s.CharField()
    polite = s.BooleanField(help_text="Without the vulgar name of the game.")
    created_at = s.DateTimeField()


class CompetitionShape(Shape):
    """A competition. `secret` is shown when it is over; its SHA-256 is `commitment`."""

    id = s.IntegerField()
    slug = s.CharField()
    name = s.CharField()
    club = s.CharField()
    kind = s.ChoiceField(Competition.Kind.choices)
    format = s.ChoiceField(Format.choices)
    state = s.ChoiceField(Competition.State.choices)
    rules = RulesShape()
    settings = s.DictField()
    move_ms = s.IntegerField()
    bank_ms = s.IntegerField()
    reproducible = s.BooleanField()
    rehearsal = s.BooleanField()
    commitment = s.CharField()
    secret = s.CharField(allow_null=True)
    starts_at = s.DateTimeField(allow_null=True)
    zone = s.CharField(help_text="Of its club: what the start is called there.")
    checkin_opens_at = s.DateTimeField(allow_null=True)
    started_at = s.DateTimeField(allow_null=True)
    finished_at = s.DateTimeField(allow_null=True)
    ledger_seq = s.IntegerField()


class EntryShape(Shape):
    """An entry; `number` is its entrant id in the proofs."""

    number = s.IntegerField()
    player = PlayerShape()
    state = s.ChoiceField(Entry.State.choices)
    seed = s.IntegerField(allow_null=True)
    place = s.IntegerField(allow_null=True)
    version = s.CharField(
        allow_null=True, help_text="Of a bot: the one that must play, fixed when entries close."
    )
    substitute = PlayerShape(allow_null=True, help_text="Who plays it, if not `player`.")
    checked_in_at = s.DateTimeField(allow_null=True)


class ScheduleShape(Shape):
    """A schedule and its next slot."""

    id = s.IntegerField()
    club = s.CharField()
    name = s.CharField()
    enabled = s.BooleanField()
    cron = s.CharField()
    zone = s.CharField()
    missing = s.ChoiceField(Schedule.Missing.choices)
    doubled = s.ChoiceField(Schedule.Doubled.choices)
    missed = s.ChoiceField(Schedule.Missed.choices)
    template = s.DictField()
    next_at = s.DateTimeField(allow_null=True)


class ClubsShape(Shape):
    """A page of clubs."""

    results = ClubShape(many=True)
    next = s.CharField(allow_null=True)


class CompetitionsShape(Shape):
    """A page of competitions."""

    results = CompetitionShape(many=True)
    next = s.CharField(allow_null=True)


class EntriesShape(Shape):
    """A page of entries."""

    results = EntryShape(many=True)
    next = s.CharField(allow_null=True)


class SchedulesShape(Shape):
    """A page of schedules."""

    results = ScheduleShape(many=True)
    next = s.CharField(allow_null=True)
