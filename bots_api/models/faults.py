"""What went wrong: faults of bots with their evidence, and stalls of our own."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from bots_api.models.bots import Bot, BotVersion


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
    # Which outage it belongs to: faults with no sound answer between them share one.
    outage = models.IntegerField(default=0, db_default=0)
    # It connects out and was not connected: that never counts towards a suspension.
    away = models.BooleanField(default=False, db_default=False)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["game_ref", "seat", "move_number"], name="fault_once_per_turn"
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["bot", "-id"], name="fault_by_bot"),
            models.Index(fields=["bot", "outage"], name="fault_by_outage"),
        ]

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
