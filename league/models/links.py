"""Links that open a club: one for its players, one for its organisers."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from games.models import Player
from league.models.clubs import Club, Membership


class ClubLink(models.Model):
    """A secret address that acts for a club with a role; only SHA-256 of it is kept.

    It acts by a player of its own, so that whatever is done through it has an actor and ends
    with it. `recovery` is the hash of the code by which a lost organiser link is renewed.
    """

    class Role(models.TextChoices):
        """What it opens."""

        PLAYERS = Membership.Role.MEMBER.value
        ORGANISERS = Membership.Role.ORGANISER.value

    club = models.ForeignKey(Club, models.CASCADE, related_name="links")
    role = models.CharField(max_length=11, choices=Role)
    digest = models.BinaryField(max_length=32, unique=True)
    recovery = models.BinaryField(max_length=32, null=True, unique=True)
    player = models.OneToOneField(Player, models.PROTECT, related_name="club_link")
    created_at = models.DateTimeField(db_default=Now())
    opened_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["club", "role"],
                condition=Q(revoked_at__isnull=True),
                name="link_once_per_club_and_role",
            )
        ]

    def __str__(self) -> str:
        return f"{self.role} link of {self.club_id}"
