"""What a game is dealt from: the rules card and the deck with its proof."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now


class RulesCard(models.Model):
    """One full option set in canonical JSON, kept once (rules.md section 11)."""

    hash = models.CharField(max_length=12, unique=True)
    card = models.TextField()

    def __str__(self) -> str:
        return self.hash


class Deck(models.Model):
    """A shuffled pack and its proof: the unit of provable deals (guarantees.md).

    `server_seed`, `deal_seed` and what follows from them stay in this process until the gate
    opens: when `games_over` reaches `games_planned`, or the deck is void.
    """

    class State(models.TextChoices):
        """`open` takes entropy, `dealt` is in play, `over` may be shown, `void` is shown too."""

        OPEN = "open"
        DEALT = "dealt"
        OVER = "over"
        VOID = "void"

    # First 16 bytes of HMAC(server_seed, "deck id") in hex: what the deal's seed is made with. Two
    # competitions with one secret have equal decks, so it is unique within a competition only.
    deck_id = models.CharField(max_length=32)
    # Set by the layer above for the deck of a competition; null for a casual one.
    competition_ref = models.BigIntegerField(null=True)
    state = models.CharField(max_length=5, choices=State, default=State.OPEN)
    server_seed = models.BinaryField(max_length=32)
    commitment = models.BinaryField(max_length=32)
    # [[entrant id, text], ...] in order of entrant; null until the last seat is ready.
    entropies = models.JSONField(null=True)
    deal_seed = models.BinaryField(max_length=32, null=True)
    packs = models.SmallIntegerField()
    jokers = models.SmallIntegerField()
    games_planned = models.SmallIntegerField(default=1)
    games_over = models.SmallIntegerField(default=0)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["competition_ref", "deck_id"],
                condition=Q(competition_ref__isnull=False),
                name="deck_once_per_competition",
            ),
            models.CheckConstraint(
                condition=Q(games_over__lte=F("games_planned")), name="deck_games_within_plan"
            ),
            models.CheckConstraint(
                condition=Q(state="open", deal_seed=None)
                | Q(state="void")
                | Q(state__in=["dealt", "over"], deal_seed__isnull=False, entropies__isnull=False),
                name="deck_dealt_has_seed",
            ),
        ]

    def __str__(self) -> str:
        return self.deck_id

    @property
    def gate_open(self) -> bool:
        """Whether seed, pack, record and proof may be shown."""
        return self.state in (Deck.State.OVER, Deck.State.VOID)
