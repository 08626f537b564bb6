"""Competitions, their stages and who entered. One model for leagues and tournaments."""

from functools import cached_property
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from games.models import Player, RulesCard
from league.formats.settings import Settings, stored
from league.models.clubs import Club


class Format(models.TextChoices):
    """The formats whose mathematics is in `league.formats`."""

    KNOCKOUT = "knockout"
    ROUNDS = "rounds"
    STRIKES = "strikes"
    LAST_OUT = "last_out"


class Competition(models.Model):
    """A league or a tournament of a club.

    `secret` fixes every draw and deal; its SHA-256 `commitment` is public from the start. It is
    shown when the competition is over. `ledger_seq` and `ledger_head` are the last row's number
    and hash; both change only under this row's lock.
    """

    class Kind(models.TextChoices):
        """What people call it; the machinery is one."""

        LEAGUE = "league"
        TOURNAMENT = "tournament"

    class State(models.TextChoices):
        """`open` takes entries; `finished` and `void` are final."""

        DRAFT = "draft"
        OPEN = "open"
        RUNNING = "running"
        PAUSED = "paused"
        FINISHED = "finished"
        VOID = "void"

    club = models.ForeignKey(Club, models.PROTECT, related_name="competitions")
    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=120)
    kind = models.CharField(max_length=10, choices=Kind)
    # That of its first stage.
    format = models.CharField(max_length=20, choices=Format, default=Format.KNOCKOUT)
    state = models.CharField(max_length=8, choices=State, default=State.DRAFT)
    rules = models.ForeignKey(RulesCard, models.PROTECT)
    # Everything of the league's rules that has a sentence of its own (`league.formats.settings`).
    settings = models.JSONField(default=dict)
    move_ms = models.IntegerField(default=1000)
    bank_ms = models.IntegerField(default=30_000)
    secret = models.BinaryField(max_length=32)
    commitment = models.BinaryField(max_length=32)
    # An unrated event may have its secret chosen, so that it can be run again; it says so.
    reproducible = models.BooleanField(default=False)
    # To try things out: only the club sees it, nothing of it counts, and it can be wiped whole. Set
    # when it is opened and never changed: a trigger refuses that.
    rehearsal = models.BooleanField(default=False, db_default=False)
    starts_at = models.DateTimeField(null=True)
    ledger_seq = models.BigIntegerField(default=0)
    ledger_head = models.BinaryField(max_length=32, default=b"")
    created_at = models.DateTimeField(db_default=Now())
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["starts_at"], condition=Q(state="open"), name="competition_to_start"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @cached_property
    def chosen(self) -> Settings:
        """`settings`, parsed; they never change."""
        return stored(self.settings)

    @property
    def rated(self) -> bool:
        """Whether what is played here counts for anybody's rating."""
        return not self.reproducible and not self.rehearsal


class Stage(models.Model):
    """A part of a competition played in one format."""

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="stages")
    number = models.SmallIntegerField()
    format = models.CharField(max_length=20, choices=Format)
    options = models.JSONField(default=dict)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["competition", "number"], name="stage_once")
        ]

    def __str__(self) -> str:
        return f"{self.competition_id}/{self.number}"


class Entry(models.Model):
    """A player's submission to a competition; `number` is the entrant id of the proofs.

    `player` bears its chips and stands in the standings. A `substitute` plays for him, from the
    round of the newest of its `stints` on.
    """

    class State(models.TextChoices):
        """`waiting` stands on the waiting list; `out` has lost its last table."""

        ENTERED = "entered"
        WAITING = "waiting"
        OUT = "out"
        DROPPED = "dropped"
        WITHDRAWN = "withdrawn"

    competition = models.ForeignKey(
        Competition, models.CASCADE, related_name="entries", db_index=False
    )
    number = models.IntegerField()
    player = models.ForeignKey(Player, models.PROTECT, related_name="entries")
    substitute = models.ForeignKey(Player, models.PROTECT, null=True, related_name="+")
    # Whether it has stints.
    substituted = models.BooleanField(default=False, db_default=False)
    state = models.CharField(max_length=9, choices=State, default=State.ENTERED)
    # Rank in the draw from 1, set when the draw is made; null draws by lot.
    seed = models.IntegerField(null=True)
    # The version of a bot that plays this entry, fixed when entries close; "" binds it to none.
    version = models.CharField(max_length=60, default="", db_default="")
    # Final place, from 1; shared places are equal.
    place = models.IntegerField(null=True)
    # When it entered, or came back: the waiting list goes by that, and so does the check-in.
    since = models.DateTimeField(db_default=Now())
    checked_in_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["competition", "number"], name="entry_number_once"),
            models.UniqueConstraint(fields=["competition", "player"], name="entry_player_once"),
        ]

    def __str__(self) -> str:
        return f"{self.competition_id}#{self.number}"

    @property
    def plays(self) -> Player:
        """Who plays it in rounds to come."""
        return self.substitute or self.player


class Stint(models.Model):
    """Who plays an entry from a round on; an entry that nobody was substituted in has none."""

    entry = models.ForeignKey(Entry, models.CASCADE, related_name="stints")
    round = models.SmallIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["entry", "round"], name="stint_once_per_round")
        ]

    def __str__(self) -> str:
        return f"{self.entry_id} from {self.round}: {self.player_id}"
