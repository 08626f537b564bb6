"""Rounds (seatings), their tables and who sits where."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from config.kit.models import Leased
from league.models.competitions import Competition, Entry, Stage


class Round(models.Model):
    """One seating of a stage; the draw is a pure function of entries, results, options, seed.

    `number` counts through all stages of the competition: decks, records, the ledger and tallies
    tell rounds by it alone.
    """

    class State(models.TextChoices):
        """`playing` until the last table is done, then `closed`, which is final."""

        PLAYING = "playing"
        CLOSED = "closed"
        VOID = "void"

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="rounds")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="rounds")
    number = models.SmallIntegerField()
    state = models.CharField(max_length=7, choices=State, default=State.PLAYING)
    # What the draw was made of and what it cost, for `verify` and for the page.
    draw = models.JSONField(default=dict)
    created_at = models.DateTimeField(db_default=Now())
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["competition", "number"], name="round_once_per_competition"
            )
        ]

    def __str__(self) -> str:
        return f"{self.stage_id}/{self.number}"


class Table(Leased):
    """Some entries that play one or more deals together.

    House tables are leased here by slices; at driven and evented ones the lease is on the game.
    """

    class Kind(models.TextChoices):
        """Who plays it (architecture.md, "Three kinds of table"); `typed` comes from paper."""

        HOUSE = "house"
        DRIVEN = "driven"
        EVENTED = "evented"
        TYPED = "typed"

    class State(models.TextChoices):
        """`done` and `void` are final; a bye is a table of one, done when drawn."""

        WAITING = "waiting"
        PLAYING = "playing"
        DONE = "done"
        VOID = "void"

    # Found by the constraint's index.
    round = models.ForeignKey(Round, models.CASCADE, related_name="tables", db_index=False)
    number = models.SmallIntegerField()
    kind = models.CharField(max_length=7, choices=Kind)
    state = models.CharField(max_length=7, choices=State, default=State.WAITING)
    deals_planned = models.SmallIntegerField()
    deals_done = models.SmallIntegerField(default=0)
    # Order of the table when done, by entry number: [[number, ...], ...].
    places = models.JSONField(null=True)
    # How many of that order go on.
    advance = models.SmallIntegerField(default=0)
    done_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["round", "number"], name="table_once_per_round"),
            models.CheckConstraint(
                condition=~Q(state="done") | Q(places__isnull=False), name="table_done_has_places"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["kind", "due_at"],
                condition=Q(state__in=["waiting", "playing"]),
                name="table_to_play",
            )
        ]

    def __str__(self) -> str:
        return f"{self.round_id}/{self.number}"


class TableSeat(models.Model):
    """An entry's seat at a table in the first deal; later deals rotate from there."""

    # The round stands here too, so that the database refuses to seat anybody twice in it. Tables
    # and entries are found by the indexes of the constraints.
    round = models.ForeignKey(Round, models.CASCADE, related_name="+")
    table = models.ForeignKey(Table, models.CASCADE, related_name="seats", db_index=False)
    index = models.SmallIntegerField()
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="seats", db_index=False)
    # Its bot was not to be asked when the table began: the stand-in plays all deals, marked.
    stand_in = models.BooleanField(default=False, db_default=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["entry", "round"], name="entry_once_per_round"),
            models.UniqueConstraint(fields=["table", "index"], name="seat_once_per_table"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.index}"
