"""Schedules and their slots: what opens by itself, and when."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from league.models.clubs import Club
from league.models.competitions import Competition


class Schedule(models.Model):
    """A cron line in a zone and what to open at each of its slots."""

    class Missing(models.TextChoices):
        """What becomes of a local time that a DST change leaves out."""

        SKIP = "skip"
        AFTER = "after"

    class Doubled(models.TextChoices):
        """Which of two equal local times counts."""

        FIRST = "first"
        SECOND = "second"
        BOTH = "both"

    class Missed(models.TextChoices):
        """What becomes of slots that passed while nobody looked."""

        SKIP = "skip"
        RUN_ONCE = "run_once"
        RUN_ALL = "run_all"

    club = models.ForeignKey(Club, models.CASCADE, related_name="schedules")
    name = models.CharField(max_length=120)
    enabled = models.BooleanField(default=True)
    cron = models.CharField(max_length=100)
    zone = models.CharField(max_length=60)
    missing = models.CharField(max_length=5, choices=Missing, default=Missing.AFTER)
    doubled = models.CharField(max_length=6, choices=Doubled, default=Doubled.FIRST)
    missed = models.CharField(max_length=8, choices=Missed, default=Missed.RUN_ONCE)
    # The competition to open: everything that `services.competitions.create` takes, and the
    # players to enter.
    template = models.JSONField()
    # Slots before this moment are history.
    since = models.DateTimeField(db_default=Now())
    next_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["next_at"], condition=Q(enabled=True), name="schedule_due")
        ]

    def __str__(self) -> str:
        return self.name


class Slot(models.Model):
    """One time of a schedule, unique by local wall time and fold: opened once, whoever looks."""

    schedule = models.ForeignKey(Schedule, models.CASCADE, related_name="slots")
    local = models.CharField(max_length=19)  # "2027-03-28T03:30", seconds if not 0
    fold = models.SmallIntegerField(default=0)
    due_at = models.DateTimeField()
    skipped = models.BooleanField(default=False)
    competition = models.OneToOneField(Competition, models.SET_NULL, null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["schedule", "local", "fold"], name="slot_once_per_schedule"
            )
        ]

    def __str__(self) -> str:
        return f"{self.schedule_id} {self.local}"
