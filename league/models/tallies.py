"""Penalty tallies: what the ledger says of each player of a competition, kept ready."""

from typing import ClassVar

from django.db import models

from games.models import Player
from league.models.competitions import Competition, Entry


class PenaltyTally(models.Model):
    """Chips and the sums that standings are made of; always equal to a recomputation.

    Fractions are whole numbers so that sums do not depend on the order: `fair_losses` is the sum
    of 1/table size in units of 1/2520, `percentiles` that of (k - place)/(k - 1) likewise.
    """

    UNIT = 2520  # divisible by every table size from 2 to 10

    competition = models.ForeignKey(
        Competition, models.CASCADE, related_name="tallies", db_index=False
    )
    entry = models.OneToOneField(Entry, models.CASCADE, related_name="tally")
    player = models.ForeignKey(Player, models.PROTECT, related_name="tallies")
    chips = models.IntegerField(default=0)
    losses = models.IntegerField(default=0)
    deals = models.IntegerField(default=0)
    first_places = models.IntegerField(default=0)
    fair_losses = models.BigIntegerField(default=0)
    percentiles = models.BigIntegerField(default=0)
    # When the last loss was: round * 1000 + deal, so that it depends on no order of arrival.
    last_loss = models.BigIntegerField(default=0)
    # When and by which ledger row the player was out; both null while in.
    eliminated_at = models.DateTimeField(null=True)
    eliminated_seq = models.BigIntegerField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["competition", "player"], name="tally_once_per_player")
        ]

    def __str__(self) -> str:
        return f"{self.competition_id}: {self.player_id} {self.chips}"
