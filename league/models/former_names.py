"""What guests were called before a name was put right: beside the act log, so that it can go."""

from django.db import models
from django.db.models.functions import Now

from games.models import Player


class FormerName(models.Model):
    """A name that a player had until then. It goes when the player's name goes for good."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="former_names")
    name = models.CharField(max_length=80)
    until = models.DateTimeField(db_default=Now())
    changed_by = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+")

    def __str__(self) -> str:
        return f"{self.player_id} until {self.until}"
