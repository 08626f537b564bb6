"""The ledger: what happened in a competition, numbered, chained, never changed."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from league.models.competitions import Competition


class LedgerRow(models.Model):
    """One fact. `body` holds ids and codes only; prose lies in erasable notes.

    `seq` counts from 1 per competition, in commit order, without gaps. `hash` = SHA-256(previous
    hash || canonical JSON [seq, kind, body]). A trigger refuses UPDATE and DELETE.
    """

    class Kind(models.TextChoices):
        """The events of competitions.md, "For dashboards", that have a number."""

        ENTRY_ADDED = "entry.added"
        ENTRY_DROPPED = "entry.dropped"
        ENTRY_SUBSTITUTED = "entry.substituted"
        CHECKIN = "checkin"
        ROUND_DRAWN = "round.drawn"
        ROUND_REDRAWN = "round.redrawn"
        TABLE_STARTED = "table.started"
        RESULT_REPORTED = "result.reported"
        RESULT_CONFIRMED = "result.confirmed"
        RESULT_DISPUTED = "result.disputed"
        RESULT_RULED = "result.ruled"
        RESULT_AMENDED = "result.amended"
        RESULT_VOIDED = "result.voided"
        CHIP = "chip"
        ELIMINATION = "elimination"
        ADJUSTMENT = "adjustment"
        RATINGS_UPDATED = "ratings.updated"
        COMPETITION_STATE = "competition.state"

    pk = models.CompositePrimaryKey("competition_id", "seq")
    competition = models.ForeignKey(Competition, models.PROTECT, db_index=False)
    seq = models.BigIntegerField()
    kind = models.CharField(max_length=20, choices=Kind)
    body = models.JSONField()
    # Whom or what it is about, so that one table's rows are found: no foreign key, rows outlive.
    table_ref = models.BigIntegerField(null=True)
    at = models.DateTimeField(db_default=Now())
    hash = models.BinaryField(max_length=32)

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["table_ref"],
                condition=models.Q(table_ref__isnull=False),
                name="ledger_by_table",
            )
        ]

    def __str__(self) -> str:
        return f"{self.competition_id}:{self.seq} {self.kind}"
