"""Deals that were typed in: the newest version of each, beside the ledger that tells all."""

from typing import ClassVar

from django.db import models

from games.models import Player
from league.models.rounds import Table


class DealResult(models.Model):
    """How a deal at a table of people went, as it stands now; always equal to the ledger."""

    class State(models.TextChoices):
        """Only `confirmed` counts. `disputed`: two seats say different things."""

        REPORTED = "reported"
        CONFIRMED = "confirmed"
        DISPUTED = "disputed"
        VOID = "void"

    table = models.ForeignKey(Table, models.CASCADE, related_name="results")
    deal = models.SmallIntegerField()
    version = models.SmallIntegerField(default=1)
    state = models.CharField(max_length=9, choices=State)
    # Groups of entry numbers from first to last; [] for a deal that was abandoned.
    places = models.JSONField()
    # In dispute: what the other seat says.
    contested = models.JSONField(null=True)
    contested_by = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+")
    entered_by = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+")
    # Who of the last gave up: told by who entered the places, counts as being last.
    forfeits = models.JSONField(default=list, db_default=[])
    # When a reported result is confirmed by nobody's objection.
    confirms_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "deal"], name="deal_result_once")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["confirms_at"],
                condition=models.Q(state="reported"),
                name="result_to_confirm",
            )
        ]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.deal} {self.state}"
