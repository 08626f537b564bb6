"""Tables that serve every app: receipts, the act log, tries, wake marks; the lease columns."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now


class Receipt(models.Model):
    """What an idempotent write made true, so that its repeat gets the same answer.

    `outcome` holds ids and codes to render from, never a secret. Kept 24 hours.
    """

    actor = models.CharField(max_length=80)
    key = models.CharField(max_length=200)
    body_hash = models.BinaryField(max_length=32)
    outcome = models.JSONField()
    created_at = models.DateTimeField(db_default=Now(), db_index=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["actor", "key"], name="receipt_once_per_actor_and_key")
        ]

    def __str__(self) -> str:
        return f"{self.actor} {self.key}"


class Act(models.Model):
    """Who did what to what, from where: ids and codes only, written by the services."""

    at = models.DateTimeField(db_default=Now(), db_index=True)
    actor = models.CharField(max_length=80)
    verb = models.CharField(max_length=60)
    target = models.CharField(max_length=120)
    data = models.JSONField(default=dict)
    address = models.CharField(max_length=60, default="")
    request_id = models.CharField(max_length=64, default="")

    class Meta:
        indexes: ClassVar = [models.Index(fields=["target", "id"], name="act_by_target")]

    def __str__(self) -> str:
        return f"{self.actor} {self.verb} {self.target}"


class Tries(models.Model):
    """How often something was tried since its first try (`config.kit.throttle`)."""

    digest = models.BinaryField(max_length=32, primary_key=True)
    count = models.IntegerField()
    ends_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return str(self.count)


class WakeMark(models.Model):
    """When a kind of worker was last woken: the one thing that keeps wakes from flooding."""

    kind = models.CharField(max_length=60, primary_key=True)
    woken_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.kind


class Leased(models.Model):
    """Columns of a row that somebody works on for a while (`config.kit.leases`).

    A lease is an owner, an expiry by the database's clock and a fencing number that rises with
    every new owner. `attempts` counts claims that made no progress; at three the row is
    quarantined with a reason and nobody claims it any more.
    """

    due_at = models.DateTimeField(null=True, db_index=True)
    lease_owner = models.CharField(max_length=40, default="", db_default="")
    lease_until = models.DateTimeField(null=True)
    lease_fence = models.BigIntegerField(default=0, db_default=0)
    attempts = models.SmallIntegerField(default=0, db_default=0)
    quarantine_reason = models.CharField(max_length=200, default="", db_default="")

    class Meta:
        abstract = True
