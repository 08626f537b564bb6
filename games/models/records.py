"""Finished games: one compact row each, inserted once and never changed."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from games.models.decks import Deck, RulesCard


class GameRecord(models.Model):
    """A finished game in one compact row: insert once, change never.

    The pack is found again from `deck` (games that had a live row) or from the competition's
    secret and the path round/table/deck/redeal (house games). The id carries the time, so that
    the table can be split by it.
    """

    id = models.UUIDField(primary_key=True)
    rules = models.ForeignKey(RulesCard, models.PROTECT, db_index=False)
    deck = models.ForeignKey(
        Deck, models.PROTECT, null=True, related_name="records", db_index=False
    )
    rated = models.BooleanField(default=False)
    competition_ref = models.BigIntegerField(null=True)
    table_ref = models.BigIntegerField(null=True)
    round_number = models.SmallIntegerField(null=True)
    table_number = models.SmallIntegerField(null=True)
    deal_number = models.SmallIntegerField(null=True)
    redeal = models.SmallIntegerField(default=0)
    dealer = models.SmallIntegerField()
    # Player ids in seat order.
    players = ArrayField(models.BigIntegerField())
    # Place of each seat, from 1, one byte a seat; shared places are equal.
    places = models.BinaryField()
    ending = models.CharField(max_length=9)
    actions = models.BinaryField()
    # Null for house games, which take no time.
    at_ms = models.BinaryField(null=True)
    by = models.BinaryField(null=True)
    head = models.BinaryField(max_length=32)
    ended_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [
            GinIndex(fields=["players"], name="record_by_player"),
            models.Index(
                fields=["table_ref", "deal_number"],
                condition=Q(table_ref__isnull=False),
                name="record_by_table",
            ),
            # House games, the most of all, have no deck's row and no entry here.
            models.Index(fields=["deck"], condition=Q(deck__isnull=False), name="record_by_deck"),
        ]

    def __str__(self) -> str:
        return str(self.id)
