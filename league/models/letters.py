"""Letters to people: whom, about what, whether it went out; and who wants which kinds."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from games.models import Player
from league.models.competitions import Competition


class Letter(models.Model):
    """One letter, written in the transaction that took note of what it tells.

    Whoever sends it notes that first: a letter may get lost in a crash, but none goes out twice.
    """

    class Event(models.TextChoices):
        """What it tells; each kind can be declined by itself."""

        SEATED = "seated"
        CONFIRM = "confirm"
        DISPUTED = "disputed"
        CORRECTED = "corrected"
        FINISHED = "finished"

    class State(models.TextChoices):
        """`failed`: the mail server has refused it for good."""

        WAITING = "waiting"
        SENT = "sent"
        FAILED = "failed"

    player = models.ForeignKey(Player, models.CASCADE, related_name="letters")
    competition = models.ForeignKey(Competition, models.CASCADE, related_name="+")
    event = models.CharField(max_length=9, choices=Event)
    # The row of the ledger that it tells of, and where: ids and numbers.
    seq = models.BigIntegerField()
    about = models.JSONField(default=dict)
    state = models.CharField(max_length=7, choices=State, default=State.WAITING)
    tries = models.SmallIntegerField(default=0)
    due_at = models.DateTimeField(db_default=Now())
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["competition", "seq", "player"], name="letter_once_per_row_and_player"
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["due_at"], condition=Q(state="waiting"), name="letter_to_send")
        ]

    def __str__(self) -> str:
        return f"{self.event} to {self.player_id}"


class MailChoice(models.Model):
    """The kinds of letters that a player has declined; nothing of it: he gets all."""

    player = models.OneToOneField(Player, models.CASCADE, related_name="mail_choice")
    declined = ArrayField(models.CharField(max_length=9), default=list)

    def __str__(self) -> str:
        return f"{self.player_id} without {self.declined}"


class MailCursor(models.Model):
    """Up to which row a league's ledger was looked at for letters; a league has one from the first
    look on, so leagues that were there before begin with what comes next."""

    competition = models.OneToOneField(Competition, models.CASCADE, related_name="mail_cursor")
    seq = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.competition_id} to {self.seq}"
