"""Messages to bots that connect out: they lie here until they are fetched and answered."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from bots_api.models.bots import Bot


class OpenTurn(models.Model):
    """One message to a pull bot, most of them turns. The row is the mailbox and the clock.

    Ids of one bot rise in the order of commits (its row is locked for each), so that they serve
    as a cursor. Open: neither answered nor closed, and its deadline has not passed.
    """

    class Kind(models.TextChoices):
        """What is asked; `check` is a message of a check, answered like what it looks like."""

        HANDSHAKE = "handshake"
        GAME_START = "game_start"
        TURN = "turn"
        GAME_END = "game_end"
        CHECK = "check"

    bot = models.ForeignKey(Bot, models.CASCADE, related_name="open_turns")
    kind = models.CharField(max_length=10, choices=Kind)
    request_id = models.CharField(max_length=40, unique=True)
    game_ref = models.UUIDField(null=True)
    seat = models.SmallIntegerField(null=True)
    move_number = models.IntegerField(null=True)
    # The message as JSON, as a webhook would carry it.
    message = models.TextField()
    # Both by the database's clock; `deadline_at` includes the time for the way.
    opened_at = models.DateTimeField()
    deadline_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)
    reply = models.JSONField(null=True)
    # Given up: the default action is played, whatever comes now.
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["game_ref", "seat", "move_number"],
                condition=Q(kind="turn"),
                name="turn_put_once",
            ),
            models.CheckConstraint(
                condition=~Q(kind="turn")
                | Q(game_ref__isnull=False, seat__isnull=False, move_number__isnull=False),
                name="turn_names_its_decision",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["bot", "id"],
                condition=Q(answered_at=None, closed_at=None),
                name="open_turn_by_bot",
            ),
            models.Index(fields=["deadline_at"], name="open_turn_by_deadline"),
        ]

    def __str__(self) -> str:
        return f"{self.bot_id} {self.kind} {self.request_id}"
