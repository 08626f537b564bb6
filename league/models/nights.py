"""Nights: a date, a place and a list of who is there; its rounds name it in their draw."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from league.models.competitions import Competition, Entry


class Night(models.Model):
    """An evening of a league. `day` is its date in the club's zone, however late it gets.

    A season archive carries all of it but the timer: number, day, start, place, rounds, kind of
    tables, state, times, and its attendances by entry number (`league.queries.archive`).
    """

    class State(models.TextChoices):
        """`closed` and `off` (called off) are final; one at most is open in a competition."""

        PLANNED = "planned"
        OPEN = "open"
        CLOSED = "closed"
        OFF = "off"

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="nights")
    number = models.SmallIntegerField()
    day = models.DateField()
    starts_at = models.DateTimeField()
    place = models.CharField(max_length=120, default="", blank=True)
    # How many rounds are planned.
    rounds = models.SmallIntegerField(default=1)
    # Whether its tables are played on the site; else their results are typed in.
    online = models.BooleanField(default=False)
    state = models.CharField(max_length=7, choices=State, default=State.PLANNED)
    opened_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    # The clock on the page: when it rings while it runs, what is left while it stands still.
    timer_ends_at = models.DateTimeField(null=True)
    timer_left_s = models.IntegerField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["competition", "number"], name="night_number_once"),
            models.UniqueConstraint(
                fields=["competition"], condition=Q(state="open"), name="night_open_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.competition_id}: night {self.number}"


class Attendance(models.Model):
    """What is known of an entry on a night: what it said beforehand, and whether it is there."""

    class State(models.TextChoices):
        """The first three are said beforehand (RSVP); `here` has checked in, `left` has gone."""

        COMING = "coming"
        LATE = "late"
        ABSENT = "absent"
        HERE = "here"
        LEFT = "left"

    night = models.ForeignKey(Night, models.CASCADE, related_name="attendances")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="attendances")
    state = models.CharField(max_length=6, choices=State)
    # Until when the seat of who comes late is kept.
    until = models.DateTimeField(null=True)
    # When the entry checked in, also after it has left.
    here_at = models.DateTimeField(null=True)
    # Somebody who is there for this night: a nickname, added at the door.
    guest = models.BooleanField(default=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["night", "entry"], name="attendance_once")
        ]

    def __str__(self) -> str:
        return f"{self.night_id}: {self.entry_id} {self.state}"
