"""What bots have played and how quickly they answered: the figures of their profiles."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from bots_api.models.bots import Bot, BotVersion


class Outing(models.Model):
    """One seat of a bot in one finished game. Written once, when the game is settled."""

    bot = models.ForeignKey(Bot, models.CASCADE, related_name="outings")
    version = models.ForeignKey(BotVersion, models.SET_NULL, null=True, related_name="outings")
    game_ref = models.UUIDField()
    seat = models.SmallIntegerField()
    competition_ref = models.BigIntegerField(null=True)
    sparring = models.BooleanField(default=False)
    place = models.SmallIntegerField(null=True)
    faults = models.SmallIntegerField(default=0)
    # The stand-in had to end it; `outage` is that of its last fault, null if that was none.
    stand_in = models.BooleanField(default=False)
    outage = models.IntegerField(null=True)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game_ref", "seat"], name="outing_once_per_seat")
        ]
        indexes: ClassVar = [models.Index(fields=["bot", "-id"], name="outing_by_bot")]

    def __str__(self) -> str:
        return f"{self.bot_id} in {self.game_ref}"


class Pace(models.Model):
    """How long the answers of a version took: a histogram (`bots_api.pace`)."""

    version = models.OneToOneField(BotVersion, models.CASCADE, related_name="pace")
    counts = ArrayField(models.BigIntegerField())

    def __str__(self) -> str:
        return f"{self.version_id} pace"


class Sparring(models.Model):
    """An unrated game against house bots that the owner asked for."""

    bot = models.ForeignKey(Bot, models.CASCADE, related_name="sparrings")
    game_ref = models.UUIDField(unique=True)
    seat = models.SmallIntegerField()
    preset = models.CharField(max_length=20)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes: ClassVar = [models.Index(fields=["bot", "-id"], name="sparring_by_bot")]

    def __str__(self) -> str:
        return f"{self.bot_id} spars in {self.game_ref}"


class Notice(models.Model):
    """Something that a bot's owner is told: on its page, by the API, by mail if he has one."""

    class Kind(models.TextChoices):
        """What has happened."""

        SUSPENDED = "suspended"
        RESTORED = "restored"
        VERSION_FROZEN = "version_frozen"

    bot = models.ForeignKey(Bot, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=14, choices=Kind)
    data = models.JSONField(default=dict)
    created_at = models.DateTimeField(db_default=Now())
    # When it is to be mailed, pushed on by whoever tries; null: nothing (more) to mail.
    mail_at = models.DateTimeField(null=True)
    mailed_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["bot", "-id"], name="notice_by_bot"),
            models.Index(
                fields=["mail_at"], condition=Q(mail_at__isnull=False), name="notice_to_mail"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bot_id} {self.kind}"
