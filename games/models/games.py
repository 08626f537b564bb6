"""Live games and their seats: rows that are updated in place while a deal is played."""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from config.kit.ids import uuid7
from config.kit.models import Leased
from games.models.decks import Deck, RulesCard
from games.models.players import Player


class By(IntEnum):
    """Who chose an action; one byte in the rows."""

    SEAT = 0
    DEFAULT = 1
    STAND_IN = 2

    @property
    def word(self) -> str:
        """As proofs and answers write it."""
        return self.name.lower()


class Game(Leased):
    """One deal being played. Rules, deck and actions are the whole game; the rest is for reading.

    `actions` is the engine's compact code; `at_ms` four bytes (eight in correspondence, which may
    take longer than 49 days) and `by` (`By`) one byte an action.
    """

    class State(models.TextChoices):
        """`forming` waits for players, `ready` for entropy; `over` and `void` are final."""

        FORMING = "forming"
        READY = "ready"
        PLAYING = "playing"
        OVER = "over"
        VOID = "void"

    class Kind(models.TextChoices):
        """Who moves it on: a person's commits (`evented`) or the driver's loop (`driven`)."""

        EVENTED = "evented"
        DRIVEN = "driven"

    class Visibility(models.TextChoices):
        """Who may look: the seats, who has the link, or everybody."""

        PRIVATE = "private"
        LINK = "link"
        PUBLIC = "public"

    id = models.UUIDField(primary_key=True, default=uuid7)
    kind = models.CharField(max_length=7, choices=Kind)
    state = models.CharField(max_length=7, choices=State, default=State.FORMING)
    visibility = models.CharField(max_length=7, choices=Visibility, default=Visibility.PUBLIC)
    # Who has it may sit down, at a private table too; of people's games only.
    join_code = models.CharField(max_length=16, default="", db_default="")
    # When house bots take the free seats of a quick game; null: never.
    fill_at = models.DateTimeField(null=True)
    # The game that this one is the revenge for.
    rematch_of = models.OneToOneField("self", models.SET_NULL, null=True, related_name="rematch")
    rated = models.BooleanField(default=False)
    rules = models.ForeignKey(RulesCard, models.PROTECT)
    deck = models.ForeignKey(Deck, models.PROTECT, related_name="games")
    players = models.SmallIntegerField()
    dealer = models.SmallIntegerField()
    created_by = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+")
    # Set by the layer above for a deal of a competition's table; this layer only keeps them.
    competition_ref = models.BigIntegerField(null=True)
    table_ref = models.BigIntegerField(null=True)
    round_number = models.SmallIntegerField(null=True)
    table_number = models.SmallIntegerField(null=True)
    deal_number = models.SmallIntegerField(null=True)
    redeal = models.SmallIntegerField(default=0)

    ply = models.IntegerField(default=0)
    actions = models.BinaryField(default=b"")
    at_ms = models.BinaryField(default=b"")
    by = models.BinaryField(default=b"")
    head = models.BinaryField(max_length=32, default=b"")
    # Answers that wait for the others: {"seat": {"move_number", "action", "by", "spent_ms"}}.
    pending = models.JSONField(default=dict)
    # Who resigned after how many actions, in that order: [[seat, ply], ...]; null: nobody.
    resigned = models.JSONField(null=True)

    # A move may take move_ms, and what goes over it comes off the seat's bank.
    move_ms = models.IntegerField(default=60_000)
    bank_ms = models.IntegerField(default=300_000)
    # By correspondence: so many days for a move, with no bank; holidays pause the clock.
    move_days = models.SmallIntegerField(null=True)
    # Up to which ply those who are to act were written to (correspondence only).
    mailed_ply = models.IntegerField(default=-1, db_default=-1)
    deadline_at = models.DateTimeField(null=True)
    # When the decision that is open now came due: clocks are counted from here.
    turn_at = models.DateTimeField(null=True)

    ending = models.CharField(max_length=9, default="")
    # The finishing order when over: [[seat, ...], ...], shared places together.
    places = models.JSONField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    # When every listener has heard of the end (`follow_up`); null and over: the sweep's work.
    settled_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=~Q(state="over") | Q(places__isnull=False, ended_at__isnull=False),
                name="game_over_has_places",
            ),
            models.UniqueConstraint(
                fields=["table_ref", "deal_number", "redeal"],
                condition=Q(table_ref__isnull=False),
                name="game_once_per_deal_of_table",
            ),
            models.UniqueConstraint(
                fields=["join_code"], condition=~Q(join_code=""), name="game_join_code_once"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["ended_at"],
                condition=Q(state="over", settled_at=None),
                name="game_unsettled",
            ),
            models.Index(
                fields=["ended_at"],
                condition=Q(state="void", settled_at=None, table_ref__isnull=False),
                name="game_abandoned",
            ),
            models.Index(
                fields=["settled_at"],
                condition=Q(state="over", competition_ref=None, settled_at__isnull=False),
                name="game_to_retire",
            ),
            models.Index(
                fields=["deadline_at"],
                condition=Q(state="playing", kind="evented"),
                name="game_deadline",
            ),
            models.Index(
                fields=["created_at", "id"],
                condition=Q(state="forming", visibility="public"),
                name="game_open_to_join",
            ),
            models.Index(
                fields=["created_at"],
                condition=Q(state__in=("forming", "ready"), kind="evented", table_ref__isnull=True),
                name="game_to_lapse",
            ),
            models.Index(
                fields=["fill_at"],
                condition=Q(state="forming", fill_at__isnull=False),
                name="game_to_fill",
            ),
            models.Index(
                fields=["id"],
                condition=Q(state="playing", move_days__isnull=False, mailed_ply__lt=F("ply")),
                name="game_to_mail",
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)


class Seat(models.Model):
    """One place at a live game; `index` is the engine's seat."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="seats")
    index = models.SmallIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, null=True, related_name="seats")
    # For whom a free seat is kept.
    invited = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="invitations")
    # The number under which the entropy counts: the competition's entry, else the seat.
    entrant = models.IntegerField()
    # Who plays it: "" a person, "house:lowest", "bot:17" (settings.SEAT_AGENTS by prefix).
    agent_ref = models.CharField(max_length=60, default="", db_default="")
    joined_at = models.DateTimeField(null=True)
    ready_at = models.DateTimeField(null=True)
    entropy = models.CharField(max_length=64, default="", db_default="")
    bank_ms = models.IntegerField(default=0)
    faults = models.SmallIntegerField(default=0)
    # Since when `lowest` plays this seat for its player: faults, no-show or resignation.
    stand_in_at = models.DateTimeField(null=True)
    resigned_at = models.DateTimeField(null=True)
    # The decision for which its player was last written to (correspondence).
    mailed_number = models.IntegerField(default=0, db_default=0)
    # When it last said a phrase.
    said_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "index"], name="seat_once_per_game")
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.index}"


class Phrase(models.Model):
    """Something ready-made that a seat has said; its code, never free text."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="phrases")
    seat = models.SmallIntegerField()
    code = models.CharField(max_length=20)
    said_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return self.code
