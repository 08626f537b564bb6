"""Tickets for streams: a browser's `EventSource` can send no header, so a secret must go first."""

from __future__ import annotations

from django.db import models

from games.models.players import Player, Token


class StreamTicket(models.Model):
    """The right to open one stream once, soon; only the SHA-256 of its text is kept.

    It ends with the token that it was made with; null: with the player's session.
    """

    digest = models.BinaryField(max_length=32, unique=True)
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    token = models.ForeignKey(Token, models.CASCADE, null=True, related_name="+")
    path = models.CharField(max_length=200)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.path
