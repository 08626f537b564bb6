"""The tables of remote bots: registration, versions, secrets, faults, our own stalls."""

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

    player = models.OneToOneField(Player, models.PROTECT, related_name="bot")
    transport = models.CharField(max_length=7, choices=Transport)
    url = models.CharField(max_length=500, default="")
    description = models.CharField(max_length=500, default="")
    presets = ArrayField(models.CharField(max_length=20), default=list)
    concurrency = models.SmallIntegerField(default=1)
    accepts = models.JSONField(default=dict)
    state = models.CharField(max_length=9, choices=State, default=State.ACTIVE)
    # The newest version that answered a handshake.
    version = models.ForeignKey("BotVersion", models.SET_NULL, null=True, related_name="+")
    # When it last answered anything in time: older than 60 s means wake it first.
    answered_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(concurrency__gte=1, concurrency__lte=64), name="bot_concurrency"
            ),
            models.CheckConstraint(
                condition=~Q(transport="webhook", url=""), name="bot_webhook_has_url"
            ),
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


class Fault(models.Model):
    """A turn that the bot did not answer as it must, with the evidence for its owner."""

    class Kind(models.TextChoices):
        """bots.md, "Clocks and faults"."""

        TIMEOUT = "timeout"
        CONNECT = "connect"
        TLS = "tls"
        HTTP_STATUS = "http_status"
        REDIRECT = "redirect"
        TOO_LARGE = "too_large"
        BAD_ENCODING = "bad_encoding"
        BAD_JSON = "bad_json"
        BAD_REPLY = "bad_reply"
        ILLEGAL_ACTION = "illegal_action"
        VERSION_CHANGED = "version_changed"

    bot = models.ForeignKey(Bot, models.CASCADE, related_name="faults")
    version = models.ForeignKey(BotVersion, models.SET_NULL, null=True)
    game_ref = models.UUIDField()
    seat = models.SmallIntegerField()
    move_number = models.IntegerField()
    kind = models.CharField(max_length=15, choices=Kind)
    # Timings in ms, status, first 500 bytes, SHA-256 of all, what was asked (bots.md).
    evidence = models.JSONField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["game_ref", "seat", "move_number"], name="fault_once_per_turn"
            )
        ]
        indexes: ClassVar = [models.Index(fields=["bot", "-id"], name="fault_by_bot")]

    def __str__(self) -> str:
        return f"{self.bot_id} {self.kind}"


class Stall(models.Model):
    """A turn that was asked again because the fault was ours (guarantees.md, "Clocks")."""

    bot = models.ForeignKey(Bot, models.CASCADE, related_name="stalls")
    game_ref = models.UUIDField()
    seat = models.SmallIntegerField()
    move_number = models.IntegerField()
    evidence = models.JSONField()
    at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.bot_id} stall in {self.game_ref}"
