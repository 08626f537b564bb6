"""Finished games: one compact row each, inserted once and never changed."""

from __future__ import annotations

import zlib
from datetime import datetime
from typing import ClassVar, Final

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from config.kit.ids import time_of
from games.engine import lengthened, shortened
from games.models.decks import Deck, RulesCard
from games.models.games import Game

# Deflate without header and checksum: rows are not changed, and the chain's head tells.
_RAW: Final = -15


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
    # Player ids in seat order: four bytes each.
    players = ArrayField(models.IntegerField())
    # Place of each seat, from 1, one byte a seat; shared places are equal.
    places = models.BinaryField()
    ending = models.CharField(max_length=9)
    # As `Game.resigned`; the actions are all that was played, legal as far as they go.
    resigned = models.JSONField(null=True)
    # The engine's compact code, its lays shortened, deflated; records from before `packed` have it
    # plain in `actions`.
    packed = models.BinaryField(null=True)
    actions = models.BinaryField(default=b"", db_default=b"")
    # Four bytes an action, eight in correspondence. Null for house games, which take no time.
    at_ms = models.BinaryField(null=True)
    by = models.BinaryField(null=True)
    head = models.BinaryField(max_length=32)
    # As the game had it, null for public: nearly all are. Whether a competition's games may be seen
    # is its own to say.
    visibility = models.CharField(  # noqa: DJ001
        max_length=7, choices=Game.Visibility, null=True
    )
    # Null for house games.
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [
            GinIndex(fields=["players"], name="record_by_player"),
            # One column each: equal keys share an entry, which takes a fifth of the room.
            models.Index(
                fields=["table_ref"],
                condition=Q(table_ref__isnull=False),
                name="record_by_table",
            ),
            models.Index(
                fields=["competition_ref"],
                condition=Q(competition_ref__isnull=False),
                name="record_by_competition",
            ),
            models.Index(fields=["rules"], name="record_by_rules"),
            # Nearly all games end by play.
            models.Index(
                fields=["ending"], condition=~Q(ending="over"), name="record_by_rare_ending"
            ),
            # House games, the most of all, have no deck's row and no entry here.
            models.Index(fields=["deck"], condition=Q(deck__isnull=False), name="record_by_deck"),
        ]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def log(self) -> bytes:
        """All actions in the engine's compact code."""
        if self.packed is None:
            return bytes(self.actions)
        return lengthened(zlib.decompress(self.packed, _RAW))

    @property
    def made_at(self) -> datetime:
        """When the game was made: its id tells, to the millisecond."""
        return time_of(self.id)


def pack(log: bytes) -> bytes:
    """Actions as a record keeps them: two fifths of their length.

    >>> GameRecord(packed=pack(b"log")).log
    b'log'
    """
    deflate = zlib.compressobj(9, zlib.DEFLATED, _RAW, 9)
    return deflate.compress(shortened(log)) + deflate.flush()
