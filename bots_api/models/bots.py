"""Bots, the versions they have announced and the secrets that sign calls to them."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from games.models import Player


class Bot(models.Model):
    """A program somewhere else that plays; its `Player` is what the rest of the service sees."""

    class Transport(models.TextChoices):
        """How turns reach it."""

        WEBHOOK = "webhook"
        PULL = "pull"

    class State(models.TextChoices):
        """`suspended` by the service, `paused` by the owner, `retired` for good."""

        ACTIVE = "active"
        PAUSED = "paused"
        SUSPENDED = "suspended"
        RETIRED = "retired"

    class Reason(models.TextChoices):
        """Why it is suspended: three calls unanswered, or three games given to the stand-in."""

        SILENCE = "silence"
        STAND_INS = "stand_ins"

    player = models.OneToOneField(Player, models.PROTECT, related_name="bot")
    transport = models.CharField(max_length=7, choices=Transport)
    url = models.CharField(max_length=500, default="")
    description = models.CharField(max_length=500, default="")
    presets = ArrayField(models.CharField(max_length=20), default=list)
    concurrency = models.SmallIntegerField(default=1)
    # {"who", "casual", "hours"}: `services.accepting` reads and checks it.
    accepts = models.JSONField(default=dict)
    state = models.CharField(max_length=9, choices=State, default=State.ACTIVE)
    # The newest version that answered a handshake.
    version = models.ForeignKey("BotVersion", models.SET_NULL, null=True, related_name="+")
    # When it last answered anything in time: older than 60 s means wake it first.
    answered_at = models.DateTimeField(null=True)
    # When a bot that connects out was last connected or asking.
    seen_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    # Rises with every change by the owner: what `If-Match` compares.
    edits = models.IntegerField(default=0, db_default=0)
    # When the sweep calls it next; pushed on while somebody calls. Null: it is not called.
    call_at = models.DateTimeField(null=True)
    # Calls in a row that were not answered, and that were.
    misses = models.SmallIntegerField(default=0, db_default=0)
    passes = models.SmallIntegerField(default=0, db_default=0)
    # Outages that are over: a fault belongs to the one that this number counts next.
    recoveries = models.IntegerField(default=0, db_default=0)
    suspended_for = models.CharField(max_length=9, choices=Reason, default="", db_default="")
    # Games that ended before do not count towards a suspension any more.
    clean_since = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(concurrency__gte=1, concurrency__lte=64), name="bot_concurrency"
            ),
            models.CheckConstraint(
                condition=~Q(transport="webhook", url=""), name="bot_webhook_has_url"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["call_at"], condition=Q(call_at__isnull=False), name="bot_to_call")
        ]

    def __str__(self) -> str:
        return str(self.player_id)


class BotVersion(models.Model):
    """A version string that a bot has announced; never changed."""

    bot = models.ForeignKey(Bot, models.CASCADE, related_name="versions")
    version = models.CharField(max_length=60)
    handshake = models.JSONField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["bot", "version"], name="version_once_per_bot")
        ]

    def __str__(self) -> str:
        return f"{self.bot_id} {self.version}"


class Secret(models.Model):
    """A signing secret; two may be live while rotating. Kept sealed with the site's key."""

    bot = models.ForeignKey(Bot, models.CASCADE, related_name="secrets")
    sealed = models.BinaryField()
    created_at = models.DateTimeField(db_default=Now())
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.bot_id} secret {self.pk}"
