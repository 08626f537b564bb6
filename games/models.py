"""The tables of what is played: players and their tokens, decks, live games, records.

Owns columns and what must never be; refuses to know rules or HTTP. `Game` and `Seat` are live
rows, updated in place; `GameRecord` is inserted once, at the end, and never changed.
"""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from config.kit.ids import uuid7
from config.kit.models import Leased


class Player(models.Model):
    """A person, a bot or a guest who can sit in a seat."""

    class Kind(models.TextChoices):
        """What a player is; `house` bots are built in, `guest` is a nickname without account."""

        PERSON = "person"
        GUEST = "guest"
        BOT = "bot"
        HOUSE = "house"

    kind = models.CharField(max_length=6, choices=Kind)
    name = models.CharField(max_length=80)
    # The name folded (NFKC, case, confusables): bots may not imitate each other.
    name_key = models.CharField(max_length=160)
    owner = models.ForeignKey("self", models.PROTECT, null=True, related_name="owned")
    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
    # Who plays for a player that is no person, as `Seat.agent_ref`: "house:lowest", "bot:17".
    agent_ref = models.CharField(max_length=60, default="", db_default="")
    created_at = models.DateTimeField(db_default=Now())
    anonymised_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["name_key"],
                condition=Q(kind__in=["bot", "house"]),
                name="bot_name_once",
            ),
            models.CheckConstraint(
                condition=Q(kind="bot", owner__isnull=False) | ~Q(kind="bot"),
                name="bot_has_owner",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Token(models.Model):
    """A secret that speaks for a player over the API; only its SHA-256 is kept."""

    class Scope(models.TextChoices):
        """What a token may do."""

        PLAY = "play"
        ORGANISE = "organise"
        BOT = "bot"
        READ = "read"

    player = models.ForeignKey(Player, models.CASCADE, related_name="tokens")
    digest = models.BinaryField(max_length=32, unique=True)
    hint = models.CharField(max_length=12)
    scopes = ArrayField(models.CharField(max_length=10, choices=Scope))
    label = models.CharField(max_length=80, default="")
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.hint


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

    id = models.CharField(max_length=32, primary_key=True)
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
        return self.id


class Game(Leased):
    """One deal being played. Rules, deck and actions are the whole game; the rest is for reading.

    `actions` is the engine's compact code; `at_ms` four bytes and `by` one byte an action.
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
    # Answers that wait for the others: {"seat": {"move_number", "action", "by", "at_ms"}}.
    pending = models.JSONField(default=dict)

    # A move may take move_ms, and what goes over it comes off the seat's bank.
    move_ms = models.IntegerField(default=60_000)
    bank_ms = models.IntegerField(default=300_000)
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
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["ended_at"],
                condition=Q(state="over", settled_at=None),
                name="game_unsettled",
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
        ]

    def __str__(self) -> str:
        return str(self.id)


class Seat(models.Model):
    """One place at a live game; `index` is the engine's seat."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="seats")
    index = models.SmallIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, null=True, related_name="seats")
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

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "index"], name="seat_once_per_game")
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.index}"


class GameRecord(models.Model):
    """A finished game in one compact row: insert once, change never.

    The pack is found again from `deck` (games that had a live row) or from the competition's
    secret and the path round/table/deck/redeal (house games). The id carries the time, so that
    the table can be split by it.
    """

    id = models.UUIDField(primary_key=True)
    rules = models.ForeignKey(RulesCard, models.PROTECT, db_index=False)
    deck = models.ForeignKey(Deck, models.PROTECT, null=True, related_name="records")
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
        ]

    def __str__(self) -> str:
        return str(self.id)
