"""Players and the tokens that speak for them. Knows no accounts but Django's own."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now


class Player(models.Model):
    """A person, a bot or a guest who can sit in a seat."""

    class Kind(models.TextChoices):
        """What a player is; `house` bots are built in, `guest` is a nickname without account."""

        PERSON = "person"
        GUEST = "guest"
        BOT = "bot"
        HOUSE = "house"

    kind = models.CharField(max_length=6, choices=Kind)
    name = models.CharField(max_length=80)
    # The name folded (NFKC, case, confusables): bots may not imitate each other.
    name_key = models.CharField(max_length=160)
    owner = models.ForeignKey("self", models.PROTECT, null=True, related_name="owned")
    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
    # Who plays for a player that is no person, as `Seat.agent_ref`: "house:lowest", "bot:17".
    agent_ref = models.CharField(max_length=60, default="", db_default="")
    # Of pages and messages to this player; "": whatever the browser asks for.
    language = models.CharField(max_length=8, default="", db_default="")
    mutes_phrases = models.BooleanField(default=False, db_default=False)
    mails_turns = models.BooleanField(default=True, db_default=True)
    created_at = models.DateTimeField(db_default=Now())
    anonymised_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["name_key"],
                condition=Q(kind__in=["bot", "house"]),
                name="bot_name_once",
            ),
            models.CheckConstraint(
                condition=Q(kind="bot", owner__isnull=False) | ~Q(kind="bot"),
                name="bot_has_owner",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Holiday(models.Model):
    """Days (UTC, both included) on which a player's correspondence clocks stand still."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="holidays")
    first = models.DateField()
    last = models.DateField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(last__gte=F("first")), name="holiday_has_days")
        ]

    def __str__(self) -> str:
        return f"{self.first} to {self.last}"


class Token(models.Model):
    """A secret that speaks for a player over the API; only its SHA-256 is kept."""

    class Scope(models.TextChoices):
        """What a token may do."""

        PLAY = "play"
        ORGANISE = "organise"
        BOT = "bot"
        READ = "read"

    player = models.ForeignKey(Player, models.CASCADE, related_name="tokens")
    digest = models.BinaryField(max_length=32, unique=True)
    hint = models.CharField(max_length=12)
    scopes = ArrayField(models.CharField(max_length=10, choices=Scope))
    label = models.CharField(max_length=80, default="")
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.hint
