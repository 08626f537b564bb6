"""Webhooks: whom a competition's ledger is told to, how far, and how each telling went."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from league.models.competitions import Competition


class Webhook(models.Model):
    """A receiver. `next_seq` is the row that it is to have next: rows are told in order, and one
    that fails is told again, with the same id, before any other."""

    class Reason(models.TextChoices):
        """Why nothing is told any more."""

        GONE = "gone"
        UNREACHABLE = "unreachable"

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    # Empty: all of them.
    events = ArrayField(models.CharField(max_length=20), default=list)
    seal = models.BinaryField(max_length=32)
    next_seq = models.BigIntegerField(default=1)
    # When the next call is due; whoever claims it pushes that on by a lease.
    due_at = models.DateTimeField(db_default=Now())
    failures = models.SmallIntegerField(default=0)
    failing_since = models.DateTimeField(null=True)
    disabled_for = models.CharField(max_length=11, choices=Reason, default="")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["due_at"], condition=Q(disabled_for=""), name="webhook_due")
        ]

    def __str__(self) -> str:
        return f"{self.competition_id} -> {self.url}"


class Delivery(models.Model):
    """One call of a webhook, as it went; `queued` ones (a test, one sent again) go out once."""

    class State(models.TextChoices):
        """How it went."""

        QUEUED = "queued"
        DELIVERED = "delivered"
        FAILED = "failed"

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    # Null: a test.
    seq = models.BigIntegerField(null=True)
    state = models.CharField(max_length=9, choices=State)
    status = models.SmallIntegerField(null=True)
    # Why there was no answer: a code.
    fault = models.CharField(max_length=20, default="")
    took_ms = models.IntegerField(null=True)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["webhook", "id"], name="delivery_by_webhook"),
            models.Index(fields=["at"], condition=Q(state="queued"), name="delivery_queued"),
        ]

    def __str__(self) -> str:
        return f"{self.webhook_id}/{self.seq} {self.state}"
