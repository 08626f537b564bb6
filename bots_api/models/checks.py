"""Checks of bots: what was tried and how it went, for everybody to see."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from bots_api.models.bots import Bot, BotVersion


class CheckReport(models.Model):
    """One check of a bot: asked for by its owner, carried out by a task."""

    class State(models.TextChoices):
        """`waiting` until a task has done it."""

        WAITING = "waiting"
        PASSED = "passed"
        FAILED = "failed"

    bot = models.ForeignKey(Bot, models.CASCADE, related_name="checks")
    state = models.CharField(max_length=7, choices=State, default=State.WAITING)
    # The version that answered; null when none did.
    version = models.ForeignKey(BotVersion, models.SET_NULL, null=True, related_name="checks")
    # [{"step", "verdict", "detail", "status", "ms", "bytes", "asked"}, ...]
    steps = models.JSONField(default=list)
    p50_ms = models.FloatField(null=True)
    p95_ms = models.FloatField(null=True)
    # While somebody carries it out; when it has passed, another may.
    lease_until = models.DateTimeField(null=True)
    attempts = models.SmallIntegerField(default=0, db_default=0)
    created_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["bot"], condition=Q(state="waiting"), name="check_one_at_a_time"
            )
        ]
        indexes: ClassVar = [models.Index(fields=["bot", "-id"], name="check_by_bot")]

    def __str__(self) -> str:
        return f"{self.bot_id} {self.state}"
