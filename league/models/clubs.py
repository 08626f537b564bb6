"""Clubs and who belongs to them."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from games.models import Player


class Club(models.Model):
    """A group of people that owns competitions; a private one is invisible outside."""

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=80)
    private = models.BooleanField(default=False)
    zone = models.CharField(max_length=60, default="Europe/Helsinki")
    language = models.CharField(max_length=5, default="en")
    # Its pages, letters and feeds say “Hönö” where the game has a vulgar name.
    polite = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A player's role in a club."""

    class Role(models.TextChoices):
        """From all rights down to playing."""

        OWNER = "owner"
        ORGANISER = "organiser"
        SCOREKEEPER = "scorekeeper"
        MEMBER = "member"

    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships")
    player = models.ForeignKey(Player, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=11, choices=Role, default=Role.MEMBER)
    # What the club calls him; "" is his own name.
    nickname = models.CharField(max_length=80, default="", db_default="")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "player"], name="member_once_per_club")
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.role} of {self.club_id}"
