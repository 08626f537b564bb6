"""Guests who turn out to be somebody: codes to claim them, and players that were merged."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from games.models import Player
from league.models.clubs import Club


class Claim(models.Model):
    """A code by which whoever holds it becomes a guest; used once. Only SHA-256 of it is kept."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="claims")
    club = models.ForeignKey(Club, models.CASCADE, related_name="+")
    digest = models.BinaryField(max_length=32, unique=True)
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"claim of {self.player_id}"


class Merge(models.Model):
    """`gone` was found to be `kept`: what was moved, as ids, so that it can be moved back."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="merges")
    gone = models.ForeignKey(Player, models.PROTECT, related_name="+")
    kept = models.ForeignKey(Player, models.PROTECT, related_name="+")
    entries = models.JSONField(default=list)
    # Clubs of which `gone` was a member and `kept` was not, and roles: [[club, role], ...].
    joined = models.JSONField(default=list)
    # The memberships that `gone` had: [[club, role], ...].
    left = models.JSONField(default=list)
    made_at = models.DateTimeField(db_default=Now())
    undone_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["gone"], condition=Q(undone_at__isnull=True), name="merged_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.gone_id} is {self.kept_id}"
